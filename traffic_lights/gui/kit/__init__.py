"""What every window is made of: colours, theme, board, dialogs, jobs. Begin with theme."""
