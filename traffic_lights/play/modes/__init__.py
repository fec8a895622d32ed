"""What the player does now: one mode in each file; `play/commands.py` lists them."""
