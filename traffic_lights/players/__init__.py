"""Everyone who can sit at the board. Begin with bots."""
