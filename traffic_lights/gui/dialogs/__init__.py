"""The small windows beside the main one."""
