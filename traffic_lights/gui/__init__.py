"""The windows: the only importer of tkinter."""
