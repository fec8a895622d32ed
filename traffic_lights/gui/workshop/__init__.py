"""The Workshop: one window in which bots are trained, compared and looked into."""
