"""What every window is made of: colours, theme, board, charts, dialogs. Begin with theme."""
