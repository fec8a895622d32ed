"""Where each system keeps things, and its colours."""

import os
import sys
import unittest
from pathlib import Path
from unittest import mock

from tests.kit.samples import PROJECT, FolderTestCase
from traffic_lights.storage import folders
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.folders import (
    data_folder,
    home_folder,
    parse_path,
    shipped_tables,
    training_folder,
)
from traffic_lights.system.desktop import system_prefers_dark

ROOT = Path(os.sep).resolve()
HOME, DATA = str(ROOT / "home" / "ann"), str(ROOT / "data")


class FolderTests(unittest.TestCase):
    def test_each_system_has_its_place_for_data(self) -> None:
        usual, own = "home/ann/.local/share/traffic-lights", str(Path.cwd() / "own")
        for platform, place, environment in (
            ("linux", usual, {}),
            ("linux", "data/traffic-lights", {"XDG_DATA_HOME": DATA}),
            ("linux", usual, {"XDG_DATA_HOME": "data"}),
            ("freebsd14", usual, {"TRAFFIC_LIGHTS_HOME": ""}),
            ("darwin", "home/ann/Library/Application Support/TrafficLights", {}),
            ("win32", "data/TrafficLights", {"APPDATA": DATA}),
            ("win32", "home/ann/AppData/Roaming/TrafficLights", {}),
            ("win32", own, {"TRAFFIC_LIGHTS_HOME": "own", "APPDATA": DATA}),
            ("darwin", own, {"TRAFFIC_LIGHTS_HOME": "own"}),
        ):
            environment = {"HOME": HOME, "USERPROFILE": HOME, **environment}
            case = self.subTest(platform=platform, **environment)
            here = mock.patch.dict(os.environ, environment, clear=True)
            with case, here, mock.patch.object(sys, "platform", platform):
                self.assertEqual(data_folder(), ROOT / place)

    def test_a_checkout_trains_in_itself_and_an_installed_program_in_the_data_folder(self) -> None:
        self.assertEqual(Path(str(shipped_tables())), PROJECT / "qtables")
        self.assertEqual(training_folder(), PROJECT / "qtables")
        with mock.patch.object(folders, "CHECKOUT_TABLES", None):
            self.assertEqual(training_folder(), data_folder() / "qtables")
            self.assertEqual(shipped_tables().name, "qtables")

    def test_a_typed_path_may_begin_with_a_home_which_is_an_absolute_path(self) -> None:
        with mock.patch.dict(os.environ, HOME=HOME, USERPROFILE=HOME):
            self.assertEqual(parse_path("~/bots"), Path(HOME) / "bots")
        self.assertEqual(parse_path("bots"), Path("bots"))
        with self.assertRaisesRegex(StorageError, "^~nobody-has-this-name/x: no such user"):
            parse_path("~nobody-has-this-name/x")
        for name in ("relative", "./x", ""):
            with mock.patch.dict(os.environ, HOME=name, USERPROFILE=name):
                self.assertRaisesRegex(StorageError, "HOME", home_folder)


class ColourTests(FolderTestCase):
    def setUp(self) -> None:
        environ = {"HOME": str(self.folder), "XDG_CONFIG_HOME": "", "GTK_THEME": ""}
        self.enterContext(mock.patch.dict(os.environ, {**environ, "PATH": str(self.folder)}))

    @unittest.skipUnless(sys.platform == "linux", "Linux alone has these files")
    def test_dark_is_found_where_desktops_write_it(self) -> None:
        for name, text in (
            ("gtk-3.0/settings.ini", b"[Settings]\ngtk-application-prefer-dark-theme = 1\n"),
            ("gtk-4.0/settings.ini", b"[Settings]\ngtk-application-prefer-dark-theme=true\n"),
            ("kdeglobals", b"\xff\xfe[General]\nColorScheme=BreezeDark\n"),
        ):
            self.assertFalse(system_prefers_dark())
            path = self.folder / ".config" / name
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_bytes(text)
            self.assertTrue(system_prefers_dark(), name)
            path.unlink()
        for theme, is_dark in (("Adwaita:dark", True), ("Adwaita", False)):
            with mock.patch.dict(os.environ, GTK_THEME=theme):
                self.assertEqual(system_prefers_dark(), is_dark)

    @unittest.skipIf(sys.platform == "win32", "needs a shell")
    def test_gnome_is_dark_if_its_settings_say_so_whatever_else_they_print(self) -> None:
        for does, is_dark in (
            ("echo \"'prefer-dark'\"", True), ("echo \"'default'\"", False),
            ("echo 'No such schema' >&2; exit 1", False),
            ("printf '\\377\\000prefer-dark'", False), ("exec /bin/sleep 60", False),
        ):  # fmt: skip
            program = self.folder / "gsettings"
            program.write_text(f"#!/bin/sh\n{does}\n", "utf-8")
            program.chmod(0o755)
            self.assertEqual(system_prefers_dark(), is_dark, does)
