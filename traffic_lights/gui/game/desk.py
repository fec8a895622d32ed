"""The name under which windows that are being rebuilt know the context."""

from traffic_lights.gui.main.context import Context as Desk

__all__ = ["Desk"]
