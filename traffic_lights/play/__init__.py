"""One interactive game without a window. Begin with session."""
