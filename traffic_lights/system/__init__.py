"""What differs between systems and places: folders, signals, menu entries, written numbers."""
