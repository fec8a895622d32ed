"""The Workshop: all bots in one window. Begin with window."""
