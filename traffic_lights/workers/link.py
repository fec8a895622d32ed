"""The former name of `system.processes.Worker`, until its last callers have moved."""

from __future__ import annotations

from typing import Any

from traffic_lights.system.processes import Worker


class WorkerLink(Worker):
    """A Worker with its former method names."""

    def say(self, command: object) -> None:
        """Send *command*."""
        self.send(command)

    def take(self) -> list[Any]:
        """Return the messages that have come."""
        return self.poll()

    def retire(self, patience_s: float) -> None:
        """End the process."""
        self.terminate(patience_s)
