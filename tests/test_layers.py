"""Check the structure of the package: which layer imports which, and what stays out of all."""

import ast
import sys
import unittest
from functools import cache
from graphlib import TopologicalSorter
from typing import Final

from tests.kit.samples import PROJECT, syntax_trees

PACKAGE: Final = PROJECT / "traffic_lights"

LAYERS: Final = (
    "version", "board", "drawing", "storage", "system", "learning", "training", "players", "play",
    "judging", "console",
    "gui.kit", "gui.main", "gui.dialogs", "gui.workshop",
    "gui.app",
    "library", "__init__", "library.lab",
    "solve", "engine", "evaluate", "train", "__main__", "play.pyw",
)  # fmt: skip
"""The folders of the package, then the commands: each may import only those before it."""


@cache
def modules() -> dict[str, set[str]]:
    """Return what each module imports, anywhere in it, by its dotted name inside the package."""
    found: dict[str, set[str]] = {}
    for path, (_, tree) in syntax_trees().items():
        # The folder play and the script play.pyw are two things.
        name = ".".join(path.relative_to(PACKAGE).parts).removesuffix(".py")
        names = found[name.removesuffix(".__init__")] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                names.add(str(node.module))
                names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def own_imports(name: str) -> set[str]:
    """Return the modules of the package that the module *name* imports."""
    own = {target.removeprefix("traffic_lights.") for target in modules()[name]}
    return (own | {"__init__"} if "traffic_lights" in own else own) & modules().keys() - {name}


def layer(name: str) -> int:
    """Return the place of the layer of the module *name*; -1 if it has none."""
    places = [n for n, one in enumerate(LAYERS) if name == one or name.startswith(f"{one}.")]
    return max(places, default=-1)


class LayerTests(unittest.TestCase):
    def test_each_imports_only_layers_before_it_and_nothing_comes_from_outside(self) -> None:
        for name, imported in modules().items():
            self.assertTrue(layer(name) >= 0 or name == "gui", f"{name}: add it to LAYERS")
            tops = {target.partition(".")[0] for target in imported}
            self.assertLessEqual(tops, sys.stdlib_module_names | {"traffic_lights"}, name)
            if not name.startswith("gui."):
                self.assertFalse(tops & {"tkinter", "_tkinter"}, name)
            later = {one for one in own_imports(name) if layer(one) > layer(name)}
            self.assertEqual(later, set(), name)

    def test_imports_have_no_cycle(self) -> None:
        TopologicalSorter({name: own_imports(name) for name in modules()}).prepare()

    def test_a_folder_of_modules_has_no_code_of_its_own(self) -> None:
        for path in PACKAGE.rglob("*/__init__.py"):
            body = ast.parse(path.read_text("utf-8")).body
            self.assertEqual(len(body), 1, f"{path}: imports here slow down every start")
