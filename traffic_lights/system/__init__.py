"""What differs between systems: folders, signals, menu entries, the dark theme."""
