"""The filling picture: knowledge as it travels from the end of the game to the empty board.

One vessel a ply, from the empty board at the left to the full one at the right.
Its height goes by the fourth root of the positions that the ply has, so that
the one position of ply 0 can be seen beside 160,000; it fills as they are
decided.
"""

from __future__ import annotations

from collections.abc import Sequence

from traffic_lights.pictures.charts import PLIES, Room
from traffic_lights.pictures.drawing import Box, Dot, Shape, Stroke, Text
from traffic_lights.pictures.shares import percent_done


def vessels(room: Room) -> tuple[float, float, float, float]:
    """Return left, top, width of a vessel with its gap, and bottom, of the picture in *room*."""
    edge = room.line * 0.8
    return edge, room.line * 2.1, (room.width - 2 * edge) / PLIES, room.height - room.line * 2.6


def ply_at(room: Room, x: float) -> int | None:
    """Return the ply whose vessel is at *x*, or None."""
    left, _, pitch, _ = vessels(room)
    ply = int((x - left) // pitch)
    return ply if 0 <= ply < PLIES else None


def shapes_of(
    totals: Sequence[int],
    decided: Sequence[int],
    working_on: int,
    room: Room,
    hover: int | None = None,
) -> list[Shape]:
    """Return the picture: *decided* of *totals* by ply, a mark over the ply *working_on*.

    *hover* is the ply whose numbers are told; -1 or None for *working_on* and
    *hover* mean no ply.
    """
    left, top, pitch, bottom = vessels(room)
    gap = max(1.0, pitch * 0.16)
    most = max(totals) ** 0.25
    shapes: list[Shape] = []
    for ply in range(PLIES):
        x0, x1 = left + ply * pitch + gap / 2, left + (ply + 1) * pitch - gap / 2
        height = (bottom - top) * max(totals[ply] ** 0.25 / most, 0.03)
        share = decided[ply] / totals[ply] if totals[ply] else 0.0
        level = bottom - height * share
        shapes.append(Box(x0, bottom - height, x1, bottom, "vessel"))
        if share > 0:
            shapes.append(Box(x0, level, x1, bottom, "filled"))
            if share < 1:
                shapes.append(Box(x0, level, x1, min(level + 2, bottom), "rising"))
        if ply == working_on:
            middle, y = (x0 + x1) / 2, bottom - height - room.line * 0.5
            shapes.append(Dot(middle, y, 4, "text", "diamond"))
        if ply == hover:
            shapes.append(Stroke(((x0, bottom + 3), (x1, bottom + 3)), "text", 2))
    shapes += _labels(totals, decided, room, hover)
    return shapes


def _labels(
    totals: Sequence[int], decided: Sequence[int], room: Room, hover: int | None
) -> list[Shape]:
    left, _, pitch, bottom = vessels(room)
    right = left + PLIES * pitch
    every = 2 if pitch > room.letter * 1.6 else 4
    shapes: list[Shape] = [
        Text(left + (ply + 0.5) * pitch, bottom + room.line * 0.8, str(ply), "muted", "center")
        for ply in range(0, PLIES, every)
    ]
    y = bottom + room.line * 1.85
    shapes.append(Text(left, y, "empty board", "muted", "w"))
    shapes.append(Text(right, y, "end of the game", "muted", "e"))
    if right - left > room.letter * 60:
        shapes.append(Text((left + right) / 2, y, "moves made", "muted", "center"))
    heading = "Positions decided"
    shapes.append(Text(left, room.line * 0.9, heading, "text", strong=True))
    if hover is not None and 0 <= hover < PLIES:
        text = reading(hover, totals[hover], decided[hover])
        shapes.append(Text(right, room.line * 0.9, text, "text", "e"))
    return shapes


def reading(ply: int, total: int, decided: int) -> str:
    """Return the numbers of *ply* in words."""
    moves = f"{ply} {'move' if ply == 1 else 'moves'}"
    return f"after {moves}: {decided:,} of {total:,} ({percent_done(decided, total)})"
