"""What a person keeps: settings, saved games, results, own bots. Begin with keeper."""
