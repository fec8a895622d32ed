"""The evaluation window. Begin with window."""
