"""The training window. Begin with window."""
