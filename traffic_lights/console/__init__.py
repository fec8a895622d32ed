"""What the commands and the terminal share. Begin with shell."""
