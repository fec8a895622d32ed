"""A thread for work in the background, which is done at once in a browser without threads."""

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any


class _AtOnce(Executor):
    def submit(self, work: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        done = Future[Any]()
        try:
            done.set_result(work(*args, **named))
        except Exception as error:
            done.set_exception(error)
        return done


def one_thread(name: str) -> Executor:
    """Return an executor with one thread, called *name*; without threads, it works at once."""
    thread = ThreadPoolExecutor(1, name)
    try:
        thread.submit(bool)
    except RuntimeError:
        return _AtOnce()
    return thread
