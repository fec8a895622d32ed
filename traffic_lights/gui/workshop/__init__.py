"""The Workshop: one window to train bots, compare them and look into them."""
