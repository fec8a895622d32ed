"""The former place of what is now in `system.processes`."""

from traffic_lights.system.processes import end_with_parent as end_with_parent
from traffic_lights.system.processes import held as held
