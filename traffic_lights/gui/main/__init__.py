"""The parts of the main window: its layout, panel and menus."""
