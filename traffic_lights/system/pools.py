"""The former place of what is now in `system.processes`."""

from traffic_lights.system.processes import process_pool as process_pool
