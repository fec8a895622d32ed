"""Check the structure of the package: which layer imports which, and what stays out of all."""

import ast
import re
import sys
import unittest
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

from tests.kit.samples import PROJECT

PACKAGE: Final = PROJECT / "traffic_lights"

LAYERS: Final = (
    "board", "storage", "system", "pictures", "learning", "training", "players", "session",
    "userdata", "judging", "console",
    "gui.kit", "gui.main", "gui.dialogs", "gui.workshop",
    "gui.app",
    "api", "bundle", "solve", "engine", "evaluate", "train", "__main__", "play",
)  # fmt: skip
"""The folders of the package, then the commands: each may import only those before it."""
COMMANDS: Final = {"console", "__main__"}
"""The modules that may print."""
TOP_LEVEL: Final = {
    "traffic_lights", "tests", "qtables", "pyproject.toml", "README.md", "LICENSE",
}  # fmt: skip
MADE_BY_TOOLS: Final = {"build", "dist", "__pycache__"}


@cache
def modules() -> dict[str, ast.Module]:
    """Return the syntax tree of each module, by its dotted name inside the package."""
    trees: dict[str, ast.Module] = {}
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyw")]):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        trees[name.removesuffix(".__init__")] = ast.parse(path.read_text("utf-8"), str(path))
    return trees


@cache
def layer(module: str) -> str:
    """Return the layer of *module*; empty for the package itself and for a folder."""
    return next((w for w in LAYERS if module == w or module.startswith(f"{w}.")), "")


def part(module: str) -> str:
    """Return the first word of the name of *module*: its folder's, or its own."""
    return module.partition(".")[0]


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield each module that *tree* imports, anywhere in it, by its full name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)


def own_imports(tree: ast.Module) -> set[str]:
    """Return the project's modules that *tree* imports, by their names inside the package."""
    names = {name.removeprefix("traffic_lights.") for name in imported(tree)}
    return {name for name in names if name in modules()}


class LayerTests(unittest.TestCase):
    def test_every_module_is_in_a_layer(self) -> None:
        for name in modules().keys() - {"__init__", "gui"} - set(LAYERS):
            self.assertTrue(layer(name), f"{name}: add its folder to LAYERS")

    def test_each_layer_imports_only_layers_before_it(self) -> None:
        for name, tree in modules().items():
            for target in own_imports(tree):
                one, other = layer(name), layer(target)
                if one and other and one != other:
                    self.assertLess(LAYERS.index(other), LAYERS.index(one), f"{name} -> {target}")

    def test_a_folder_of_modules_has_no_code_of_its_own(self) -> None:
        for path in PACKAGE.rglob("*/__init__.py"):
            body = ast.parse(path.read_text("utf-8")).body
            self.assertEqual(len(body), 1, f"{path}: imports here slow down every start")

    def test_nothing_is_imported_by_its_name_in_a_string(self) -> None:
        for name, tree in modules().items():
            calls = {ast.unparse(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
            by_name = {call for call in calls if call.endswith(("import_module", "__import__"))}
            self.assertEqual(by_name, set(), f"{name}: write an import, which this test can see")

    def test_imports_have_no_cycle(self) -> None:
        TopologicalSorter({n: own_imports(t) - {n} for n, t in modules().items()}).prepare()

    def test_imports_are_absolute(self) -> None:
        for name, tree in modules().items():
            self.assertFalse([target for target in imported(tree) if target.startswith(".")], name)

    def test_only_the_windows_import_tkinter(self) -> None:
        users = {
            part(name)
            for name, tree in modules().items()
            if any(target.partition(".")[0] in ("tkinter", "_tkinter") for target in imported(tree))
        }
        # The starting file checks whether there is a Tk, and reports if there is none.
        self.assertLessEqual(users, {"gui", "__main__"})

    def test_only_the_commands_print(self) -> None:
        for name, tree in modules().items():
            calls = {
                node.func.id
                for node in ast.walk(tree)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
            if part(name) not in COMMANDS | {"play"}:
                self.assertNotIn("print", calls, name)

    def test_nothing_comes_from_outside_the_standard_library(self) -> None:
        known = sys.stdlib_module_names | {"traffic_lights"}
        for name, tree in modules().items():
            tops = {target.partition(".")[0] for target in imported(tree)}
            self.assertLessEqual(tops, known, name)

    def test_no_module_hides_one_of_the_standard_library(self) -> None:
        # A double-click puts the folder of the started file before the library.
        inside = {path.stem for path in PACKAGE.iterdir()} - {"__init__", "__main__"}
        self.assertEqual(inside & sys.stdlib_module_names, set())


def public_types(tree: ast.Module) -> Iterator[str]:
    """Yield the name of each public class and type alias of *tree*."""
    for node in tree.body:
        names = [node.name] if isinstance(node, ast.ClassDef) else []
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        yield from (name for name in names if re.match("[A-Z][a-z]", name))


class ReadabilityTests(unittest.TestCase):
    def test_no_two_types_have_one_name(self) -> None:
        homes: dict[str, list[str]] = {}
        for module, tree in modules().items():
            for name in public_types(tree):
                homes.setdefault(name, []).append(module)
        doubled = {name: home for name, home in homes.items() if len(home) > 1}
        self.assertEqual(doubled, {}, "give each idea its own word")

    def test_one_module_reads_whether_the_tests_are_to_be_thorough(self) -> None:
        readers = [
            path.relative_to(PROJECT).as_posix()
            for path in (PROJECT / "tests").rglob("*.py")
            if re.search(r"environ\W+get\W+TRAFFIC_LIGHTS_SLOW", path.read_text("utf-8"))
        ]
        self.assertEqual(readers, ["tests/kit/samples.py"])


class HouseTests(unittest.TestCase):
    def test_the_top_level_is_that_of_the_design(self) -> None:
        found = {
            path.name
            for path in PROJECT.iterdir()
            if not path.name.startswith(".") and path.suffix != ".egg-info"
        }
        self.assertEqual(found - MADE_BY_TOOLS, TOP_LEVEL)

    def test_text_files_are_utf8_with_unix_line_ends(self) -> None:
        for path in tracked_texts():
            data = path.read_bytes()
            with self.subTest(path=path.name):
                data.decode("utf-8")
                self.assertNotIn(b"\t", data if path.suffix == ".py" else b"")
                self.assertNotIn(b"\r", data)
                self.assertTrue(data.endswith(b"\n") or not data)


def tracked_texts() -> Iterator[Path]:
    """Yield the source files of the project."""
    for folder in ("traffic_lights", "tests"):
        for path in sorted((PROJECT / folder).rglob("*")):
            if path.suffix in (".py", ".pyw", ".command"):
                yield path
    yield PROJECT / "pyproject.toml"
    yield PROJECT / "LICENSE"
