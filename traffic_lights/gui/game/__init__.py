"""The game in the main window: commands, opponents, what is shown."""
