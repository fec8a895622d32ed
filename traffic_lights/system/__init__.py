"""What differs between systems: the desktop, signals, processes."""
