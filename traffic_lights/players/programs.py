"""External programs under their older names; `players.external` has them."""

from traffic_lights.players.bots import PlayerError
from traffic_lights.players.external import Program as Program
from traffic_lights.players.external import located as located
from traffic_lights.players.external import program_name
from traffic_lights.players.external import split_command as split_command
from traffic_lights.players.external import standing_command as standing_command

CommandTextError = PlayerError
file_name = program_name
