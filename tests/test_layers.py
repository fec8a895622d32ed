"""How the modules hang together: what design keeps the code readable, held to by tests."""

import ast
import sys
import unittest
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

from tests.kit.samples import PROJECT

PACKAGE: Final = PROJECT / "traffic_lights"
LONGEST_MODULE: Final = 400

LAYERS: Final = (
    {"__init__", "board", "storage", "system", "pictures", "learning", "players"},
    {"training", "session", "judging", "workers", "console"},
    {"train", "evaluate", "solve", "bundle", "gui", "__main__"},
)
"""Which modules may import which: those of their own layer and of those before."""
COMMANDS: Final = {"console", "train", "evaluate", "solve", "__main__"}
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


def part(module: str) -> str:
    """Return what the table of layers calls *module*: its own name, or its folder's."""
    return module.partition(".")[0]


def layer(module: str) -> int:
    layers = (number for number, names in enumerate(LAYERS) if part(module) in names)
    return next(layers, len(LAYERS))


def running_code(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield every node of *tree* but those that only type checkers read."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield from running_code(child)


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield each module that *tree* imports, anywhere in it, by its full name."""
    for node in running_code(tree):
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
    def test_every_module_has_its_layer(self) -> None:
        homeless = {part(name) for name in modules()} - set().union(*LAYERS) - {"play"}
        self.assertEqual(homeless, set(), "give these modules a place in LAYERS")

    def test_imports_go_down_or_sideways(self) -> None:
        for name, tree in modules().items():
            if part(name) == "play":
                continue
            for target in own_imports(tree):
                self.assertLessEqual(layer(target), layer(name), f"{name} imports {target}")

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
        # What a person starts asks whether there is a Tk, to say so if not.
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


def public_definitions(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Yield each public class, function and method of *tree* with its name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name, node
            for inner in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                    yield f"{node.name}.{inner.name}", inner


class ReadabilityTests(unittest.TestCase):
    def test_no_module_is_too_long(self) -> None:
        tests = PROJECT / "tests"
        for path in (*PACKAGE.rglob("*.py"), *tests.rglob("*.py")):
            with self.subTest(path=path.name):
                lines = len(path.read_text("utf-8").splitlines())
                self.assertLessEqual(lines, LONGEST_MODULE)

    def test_every_module_and_public_name_has_a_docstring(self) -> None:
        for name, tree in modules().items():
            self.assertTrue(ast.get_docstring(tree), name)
            for definition, node in public_definitions(tree):
                assert isinstance(node, ast.FunctionDef | ast.ClassDef)
                self.assertTrue(ast.get_docstring(node), f"{name}.{definition}")


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
