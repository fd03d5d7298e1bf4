"""A process that answers variants one by one for another: ``python -m linkwork.studies.worker``.

It reads a question, then parameters of variants, and writes what it has answered; all as lengths and pickles. It ends where
its input does.
"""

from __future__ import annotations

import pickle
import sys
from typing import IO, Any

LENGTH = 8  # bytes


def send(stream: IO[bytes], content: object) -> None:
    """Write an object."""
    data = pickle.dumps(content)
    stream.write(len(data).to_bytes(LENGTH, "little"))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read an object; EOFError where the other side is gone."""
    data = stream.read(int.from_bytes(_all(stream, LENGTH), "little"))
    return pickle.loads(data)


def _all(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def serve(given: IO[bytes], found: IO[bytes]) -> None:
    """Answer until nobody asks."""
    try:
        question = receive(given)
        question.begin()
    except EOFError:
        return
    except Exception as error:  # whatever keeps this process from knowing what is meant
        send(found, f"{type(error).__name__}: {error}")
        return
    send(found, "")
    while True:
        try:
            parameters = receive(given)
        except EOFError:
            return
        send(found, question.ask(parameters))


if __name__ == "__main__":
    out = sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing that is printed goes between the answers
    serve(sys.stdin.buffer, out)
