"""What the program remembers between two starts: settings, the game, statistics."""
