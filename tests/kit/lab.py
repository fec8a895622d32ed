"""The lab with its stubs filled in, by the answers of its page or by what a test puts there."""

import ast
import re
from functools import cache
from typing import Any, Final

from tests.kit.samples import PROJECT

LAB: Final = PROJECT / "traffic_lights" / "library" / "lab.py"
ANSWERS: Final = LAB.with_name("ANSWERS.md")


def steps() -> list[str]:
    """Return the text of each step; that of the first begins with what stands above it."""
    start, first, *others = re.split("(?m)^(?=# %% Step)", LAB.read_text("utf-8"))
    return [start + first, *others]


def answers() -> list[str]:
    """Return the Python of the page with the answers, step by step."""
    return re.findall(r"^```python\n(.*?)^```$", ANSWERS.read_text("utf-8"), re.M | re.S)


def filled(step: str, answer: str) -> list[ast.stmt]:
    """Return the statements of *step*, of which those of *answer* replace what has their name."""
    body = ast.parse(step).body
    _fill(body, ast.parse(answer).body)
    return body


def _fill(body: list[ast.stmt], new: list[ast.stmt]) -> None:
    for one in new:
        place = [*map(_name, body)].index(_name(one))
        old = body[place]
        if isinstance(old, ast.ClassDef) and isinstance(one, ast.ClassDef):
            _fill(old.body, one.body)
        else:
            body[place] = one


def _name(node: ast.stmt) -> str:
    """Return the name that *node* defines, or otherwise some text."""
    return getattr(node, "name", "") or ast.unparse(node).partition(" = ")[0]


def run(body: list[ast.stmt], names: dict[str, Any]) -> dict[str, Any]:
    """Run *body* after what defined *names*; return all names then."""
    names = {"__name__": "lab", **names}
    exec(compile(ast.Module(body, []), str(LAB), "exec"), names)
    return names


@cache
def definitions() -> dict[str, Any]:
    """Return what the lab with its answers defines, without the runs in between."""
    body: list[ast.stmt] = [
        node
        for step, answer in zip(steps(), answers(), strict=True)
        if "# %% Step 6" not in step  # whose classes need learners that were trained
        for node in filled(step, answer)
        if isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)
        or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.Tuple))
    ]
    return run(body, {})
