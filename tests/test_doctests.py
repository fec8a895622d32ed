import doctest
import importlib
import pkgutil
import unittest
from importlib.util import find_spec

import traffic_lights
from tests.kit.samples import PROJECT


def module_names() -> list[str]:
    found = pkgutil.walk_packages(traffic_lights.__path__, "traffic_lights.")
    # Where a .pyw is found too, the one for a double-click would start the game.
    return ["traffic_lights", *(i.name for i in found if i.name != "traffic_lights.play")]


class DoctestTests(unittest.TestCase):
    def test_examples_in_docstrings_hold(self) -> None:
        attempted = 0
        for name in module_names():
            source = PROJECT.joinpath(*name.split("."))
            source = source / "__init__.py" if source.is_dir() else source.with_suffix(".py")
            if ">>>" not in source.read_text("utf-8"):
                continue
            if name.startswith("traffic_lights.gui.") and find_spec("_tkinter") is None:
                continue
            with self.subTest(module=name):
                result = doctest.testmod(
                    importlib.import_module(name), optionflags=doctest.ELLIPSIS
                )
                self.assertEqual(result.failed, 0)
                self.assertGreater(result.attempted, 0)
                attempted += result.attempted
        self.assertGreater(attempted, 10)
