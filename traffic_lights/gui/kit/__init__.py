"""What every window is made of: colours, themes, dialogs, jobs. Begin with theme."""
