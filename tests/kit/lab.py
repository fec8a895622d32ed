"""The lab with its stubs filled in, by the answers of its page or by what a test puts there."""

import ast
import re
from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from textwrap import dedent
from typing import Any, Final

from tests.kit.samples import PROJECT

LAB: Final = PROJECT / "traffic_lights" / "library" / "lab.py"
ANSWERS: Final = LAB.with_name("ANSWERS.md")


@cache
def answers() -> list[str]:
    """Return the Python of the page with the answers, step by step."""
    return re.findall(r"^```python\n(.*?)^```$", ANSWERS.read_text("utf-8"), re.M | re.S)


def steps(*fillings: str) -> dict[str, list[ast.stmt]]:
    """Return the statements of each step, "step 1" first.

    What a filling defines replaces what the lab defines by that name, in classes also.
    """
    text = LAB.read_text("utf-8")
    body = ast.parse(text).body
    lines = [text[: found.start()].count("\n") for found in re.finditer(r"(?m)^# %% Step", text)]
    owners = [max(1, sum(line < node.lineno for line in lines)) for node in body]
    for filling in fillings:
        _replace(body, ast.parse(dedent(filling)).body)
    found: dict[str, list[ast.stmt]] = {f"step {number}": [] for number in sorted(set(owners))}
    for owner, node in zip(owners, body, strict=True):
        found[f"step {owner}"].append(node)
    return found


def changed(body: list[ast.stmt], filling: str) -> list[ast.stmt]:
    """Return a copy of *body* with what *filling* defines."""
    body = deepcopy(body)
    _replace(body, ast.parse(dedent(filling)).body)
    return body


def _replace(body: list[ast.stmt], new: Sequence[ast.stmt]) -> None:
    places = {_name(old): place for place, old in reversed([*enumerate(body)])}
    for one in new:
        old = body[places[_name(one)]]
        if isinstance(old, ast.ClassDef) and isinstance(one, ast.ClassDef):
            _replace(old.body, one.body)
        else:
            body[places[_name(one)]] = one


def _name(node: ast.stmt) -> str:
    """Return the name that *node* defines; empty if it defines nothing."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    return ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""


def run(body: list[ast.stmt], names: dict[str, Any]) -> dict[str, Any]:
    """Run *body* after what defined *names*; return all names then."""
    names = {"__name__": "lab", **names}
    exec(compile(ast.Module(body, []), str(LAB), "exec"), names)
    return names


@cache
def definitions() -> dict[str, Any]:
    """Return what the lab with its answers defines, without the runs in between."""
    kinds = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef
    body: list[ast.stmt] = [
        node
        for step, part in steps("\n".join(answers())).items()
        for node in part
        if step != "step 6"  # whose classes need learners that were trained
        if isinstance(node, kinds)
        or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.Tuple))
    ]
    return run(body, {})
