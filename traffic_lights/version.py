"""The version of the program, in a module that imports nothing."""

__version__ = "2.0.0"
