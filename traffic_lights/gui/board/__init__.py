"""The board as it is drawn. Begin with board_view."""
