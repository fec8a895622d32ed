"""External bots under their older name; `players.external` has them."""

from traffic_lights.players.external import MOST_FAILURES, ExternalBot

Guest = ExternalBot
MOST_FORFEITS = MOST_FAILURES
