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


def answer(pipe: Connection, task: str) -> None:
    with reported_end(pipe):
        pipe.send(task)
        pipe.send(pipe.recv())


class EndTests(unittest.TestCase):
    def test_the_last_message_says_how_the_work_ended(self) -> None:
        for error, says, details in (
            (None, "", ""),
            (StorageError("the disk is full"), "the disk is full", ""),
            (UnicodeError("a kind of ValueError"), "a kind of ValueError", ""),
            (MemoryError(), NO_MEMORY, ""),
            (KeyError("x"), "a mistake in the program: KeyError('x')", "test_the_last_message"),
        ):
            here, there = multiprocessing.Pipe()
            with here:
                with reported_end(there, StorageError, ValueError):
                    if error is not None:
                        raise error
                ended = here.recv()
                self.assertEqual((ended.error, bool(ended.details)), (says, bool(details)))
                self.assertIn(details, ended.details)
                self.assertRaises(EOFError, here.recv)


class WorkerTests(unittest.TestCase):
    def next_message(self, worker: Worker) -> Any:
        (message,) = wait_until(worker.poll, "a message has come")
        return message

    def test_messages_go_both_ways_and_the_last_is_the_end(self) -> None:
        worker = Worker(answer, "task")
        self.addCleanup(worker.close)
        self.assertEqual((self.next_message(worker), worker.is_over), ("task", False))
        worker.send("more")
        messages: list[Any] = []
        while not worker.is_over:
            messages += wait_until(worker.poll, "a message has come")
        self.assertEqual(messages, ["more", Ended()])
        worker.send("too late")
        self.assertEqual(worker.poll(), [])

    def test_a_user_reads_why_no_process_could_be_started(self) -> None:
        busy = BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        with mock.patch.object(SpawnProcess, "start", side_effect=busy):
            worker = Worker(answer, "task")
        ended = self.next_message(worker)
        self.assertIn("(Resource temporarily unavailable); close some programs", ended.error)
        self.assertTrue(worker.is_over)
        worker.end()
