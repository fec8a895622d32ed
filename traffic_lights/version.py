"""The version of the program, in a module that imports nothing."""

__version__ = "1.4.0"
