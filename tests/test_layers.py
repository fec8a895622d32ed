"""How the modules hang together: what design keeps the code readable, held to by tests."""

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
LONGEST_MODULE: Final = 400
MOST_SET_BY_HAND: Final = 40

WINGS: Final = (
    "board", "storage", "system", "pictures", "learning", "players", "training", "session",
    "keeping", "judging", "workers", "console",
    "gui.kit", "gui.board", "gui.main", "gui.game", "gui.dialogs", "gui.evaluation",
    "gui.training", "gui.windows", "gui.app",
    "bundle", "solve", "engine", "evaluate", "train", "__main__", "play",
)  # fmt: skip
"""Every folder of the package, then what a person starts: each may import those before it."""
DOORS: Final = {
    "board": "baselines policy positions rules solver symmetry threats traps",
    "storage": "files lock log patience witness",
    "system": "children folders memory pools shortcut signals system_theme typed_numbers",
    "pictures": "charts curves drawing series shares vessels",
    "learning": "cut deltas episodes lessons oldtable practice qtable shared tablefile tablereader",
    "players": "bots contestants exact game guest ladder programs protocol prudence referee rungs",
    "training": "curves events folder notes own_tables paths programmes run run_folder settings "
    "table_files troubles",
    "session": "beliefs notation phases session status texts verdicts wording",
    "keeping": "keeper offers own_bots preferences programs recordfile tally",
    "judging": "accuracy best_response evaluation expectation gauge proof reports study",
    "workers": "evaluation link recorder training",
    "console": "copied interrupts menu progress remedies shell terminal upkeep",
    "gui.kit": (
        "canvas_view dialog errors file_dialogs focus geometry icon jobs keys lamp_art lamp_field "
        "palette scroll smooth theme"
    ),
    "gui.board": "board_view lamp_tiles overlays",
    "gui.main": "main_window menus side_panel",
    "gui.game": (
        "appearance belief_table bot_driver commands demonstration desk offers opponent_menu "
        "own_bots presenter programs"
    ),
    "gui.dialogs": "help_dialogs new_game_dialog program_dialog statistics_dialog tables_dialog",
    "gui.evaluation": "window",
    "gui.training": "control offer window",
}
"""The modules of a wing that other wings may import; of a wing that is one module, it is that."""
LARGEST_WING: Final = 15
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


@cache
def wing(module: str) -> str:
    """Return the wing that *module* is in; empty if it is the package, a folder, or homeless."""
    return next((w for w in WINGS if module == w or module.startswith(f"{w}.")), "")


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


def arrows() -> Iterator[tuple[str, str]]:
    """Yield each import from one wing to another, type checkers' too, as two modules."""
    for name, tree in modules().items():
        for target in own_imports(tree):
            if wing(name) and wing(target) not in ("", wing(name)):
                yield name, target


class WingTests(unittest.TestCase):
    def test_every_module_has_its_wing(self) -> None:
        for name in modules().keys() - {"__init__", "gui"} - set(WINGS):
            self.assertTrue(wing(name), f"{name} is in no wing: give it a folder of WINGS")

    def test_imports_run_down(self) -> None:
        for name, target in sorted(arrows()):
            one, other = wing(name), wing(target)
            self.assertLess(
                WINGS.index(other), WINGS.index(one),
                f"{name} imports {target}, but {one} comes before {other}. What both need belongs "
                f"in {one} or before it; what joins them in {other} or after it",
            )  # fmt: skip

    def test_other_wings_are_entered_by_their_doors(self) -> None:
        for name, target in sorted(arrows()):
            other = wing(target)
            doors = DOORS.get(other, "").split()
            if target not in WINGS:
                self.assertIn(
                    target.removeprefix(f"{other}."), doors,
                    f"{name} imports {target}, which {other} keeps to itself: use one of its "
                    "doors, or name it in DOORS if others are to depend on it",
                )  # fmt: skip

    def test_every_door_is_used(self) -> None:
        used = {target for _, target in arrows()}
        for name, doors in DOORS.items():
            shut = [door for door in doors.split() if f"{name}.{door}" not in used]
            self.assertEqual(shut, [], f"no other wing uses these of {name}: take them from DOORS")

    def test_no_wing_is_crowded(self) -> None:
        for name in WINGS:
            rooms = [n for n in modules() if n.rpartition(".")[0] == name]
            self.assertLessEqual(len(rooms), LARGEST_WING, f"{name} needs a folder inside")

    def test_a_wing_begins_with_a_sentence_and_no_code(self) -> None:
        for path in PACKAGE.rglob("*/__init__.py"):
            body = ast.parse(path.read_text("utf-8")).body
            self.assertEqual(len(body), 1, f"{path}: what is imported here slows every start")

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

    def test_no_module_is_too_long(self) -> None:
        tests = PROJECT / "tests"
        for path in (*PACKAGE.rglob("*.py"), *tests.rglob("*.py")):
            with self.subTest(path=path.name):
                lines = len(path.read_text("utf-8").splitlines())
                self.assertLessEqual(lines, LONGEST_MODULE)

    def test_few_tables_are_set_by_hand(self) -> None:
        texts = [path.read_text("utf-8") for path in PACKAGE.rglob("*.py")]
        self.assertLessEqual(sum(text.count("# fmt: skip") for text in texts), MOST_SET_BY_HAND)

    def test_one_module_reads_whether_the_tests_are_to_be_thorough(self) -> None:
        readers = [
            path.relative_to(PROJECT).as_posix()
            for path in (PROJECT / "tests").rglob("*.py")
            if re.search(r"environ\W+get\W+TRAFFIC_LIGHTS_SLOW", path.read_text("utf-8"))
        ]
        self.assertEqual(readers, ["tests/kit/samples.py"])

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
