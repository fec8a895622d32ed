"""The small windows of the menus View, Game and Help."""
