"""Processes that are started: what they send, and that none outlives its parent."""

import errno
import multiprocessing
import unittest
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any
from unittest import mock

from tests.kit.samples import wait_until
from traffic_lights.storage.files import StorageError
from traffic_lights.storage.words import NO_MEMORY
from traffic_lights.system.processes import Ended, Worker, reported_end


def refuse(number: int) -> int:
    raise FileNotFoundError(f"no file {number}")


def answer(pipe: Connection, task: str) -> None:
    with reported_end(pipe):
        pipe.send(task)
        pipe.send(pipe.recv())


class EndTests(unittest.TestCase):
    def test_the_last_message_says_how_the_work_ended(self) -> None:
        for error, expected in (
            (None, Ended()),
            (StorageError("the disk is full"), Ended("the disk is full")),
            (UnicodeError("a kind of ValueError"), Ended("a kind of ValueError")),
            (MemoryError(), Ended(NO_MEMORY)),
            (KeyError("x"), None),
        ):
            here, there = multiprocessing.Pipe()
            with here:
                with reported_end(there, StorageError, ValueError):
                    if error is not None:
                        raise error
                ended = here.recv()
                if expected is None:  # a mistake in the program
                    self.assertEqual(ended.error, "a mistake in the program: KeyError('x')")
                    self.assertIn("test_the_last_message", ended.details)
                else:
                    self.assertEqual(ended, expected)
                self.assertRaises(EOFError, here.recv)


class WorkerTests(unittest.TestCase):
    def messages(self, worker: Worker, count: int) -> list[Any]:
        """Return the next messages of *worker*, at least *count*."""
        messages: list[Any] = []

        def has_come() -> bool:
            messages.extend(worker.poll())
            return len(messages) >= count

        wait_until(has_come, f"{count} messages have come")
        return messages

    def test_messages_go_both_ways_and_the_last_is_the_end(self) -> None:
        worker = Worker(answer, "task")
        self.addCleanup(worker.close)
        self.assertEqual((self.messages(worker, 1), worker.is_over), (["task"], False))
        worker.send("more")
        self.assertEqual(self.messages(worker, 2), ["more", Ended()])
        self.assertTrue(worker.is_over)
        worker.send("too late")
        self.assertEqual(worker.poll(), [])

    def test_a_user_reads_why_no_process_could_be_started(self) -> None:
        busy = BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        with mock.patch.object(SpawnProcess, "start", side_effect=busy):
            worker = Worker(answer, "task")
        (ended,) = self.messages(worker, 1)
        self.assertIn("(Resource temporarily unavailable); close some programs", ended.error)
        self.assertTrue(worker.is_over)
        worker.end()
