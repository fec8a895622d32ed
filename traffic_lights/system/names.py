"""The former place of what is now in `system.typed`."""

from traffic_lights.system.typed import LONGEST_NAME as LONGEST_NAME
from traffic_lights.system.typed import fit_name as fit_name
