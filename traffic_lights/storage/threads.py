"""A thread for work that goes on meanwhile, or none in a browser, where it is done at once."""

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
    """Return an executor with one thread, called *name*, or with none if none can be started."""
    thread = ThreadPoolExecutor(1, name)
    try:
        thread.submit(bool)
    except RuntimeError:
        return _AtOnce()
    return thread
