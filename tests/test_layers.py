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


def own_imports(module: str) -> set[str]:
    """Return the project's modules that *module* imports, by their names inside the package."""
    names = {name.removeprefix("traffic_lights.") for name in modules()[module]}
    names |= {"__init__" for name in names if name == "traffic_lights"}
    return names & modules().keys()


def layer(module: str) -> str:
    """Return the layer of *module*; empty for the package itself and for a folder."""
    if module in LAYERS:
        return module
    return next((w for w in LAYERS if module.startswith(f"{w}.")), "")


class LayerTests(unittest.TestCase):
    def test_each_layer_imports_only_layers_before_it(self) -> None:
        for name in modules():
            one = layer(name)
            self.assertTrue(one or name == "gui", f"{name}: add it to LAYERS")
            for target in own_imports(name):
                other = layer(target)
                if one and other and one != other:
                    self.assertLess(LAYERS.index(other), LAYERS.index(one), f"{name} -> {target}")

    def test_imports_have_no_cycle(self) -> None:
        TopologicalSorter({name: own_imports(name) - {name} for name in modules()}).prepare()

    def test_a_folder_of_modules_has_no_code_of_its_own(self) -> None:
        for path in PACKAGE.rglob("*/__init__.py"):
            body = ast.parse(path.read_text("utf-8")).body
            self.assertEqual(len(body), 1, f"{path}: imports here slow down every start")

    def test_only_the_windows_import_tkinter_and_nothing_comes_from_outside(self) -> None:
        known = sys.stdlib_module_names | {"traffic_lights"}
        for name, imported in modules().items():
            tops = {target.partition(".")[0] for target in imported}
            self.assertLessEqual(tops, known, name)
            if not name.startswith("gui."):
                self.assertFalse(tops & {"tkinter", "_tkinter"}, name)
