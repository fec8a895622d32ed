"""The former place of what is now in `system.typed`."""

from traffic_lights.system.typed import MOST_SEED as MOST_SEED
from traffic_lights.system.typed import share as share
from traffic_lights.system.typed import whole_number as whole_number
