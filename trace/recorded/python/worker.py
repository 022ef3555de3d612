"""The worker's loop: requests in on standard input, replies out.

A frame is its size and then fields, each its size and its bytes; sizes are
four bytes, most significant first. A request is verb, seconds, operands; a
reply is a word and operands.
"""

import gc
import math
import os
import signal
import sys
import time

from evaluate import Failed, Refused, evaluate
from outline import Unparsable, outline

try:
    import resource
except ImportError:  # Windows has none; the caller's wall limit remains
    resource = None

_REPLY_LIMIT = 64 << 20  # bytes
_MEMORY_LIMIT = 1 << 30  # bytes of address space


def serve():
    """Answers requests until standard input closes."""
    # Replies own the real standard output; nothing else can write to it.
    replies = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "wb") as null:
        os.dup2(null.fileno(), 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for npdb
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # time and memory bound the work instead
    _limit("RLIMIT_AS", _MEMORY_LIMIT)
    _limit("RLIMIT_CORE", 0)
    _send(replies, ["ready", ".".join(map(str, sys.version_info[:3]))])
    while True:
        request = _receive(sys.stdin.buffer)
        if request is None:
            return
        _limit("RLIMIT_CPU", math.ceil(time.process_time()) + int(request[1]) + 1)
        gc.disable()  # a large value is read faster
        reply = _answer(request[0].decode(), request[2:])
        gc.enable()
        _send(replies, reply)


def _answer(verb, operands):
    try:
        if verb == "outline":
            lines, functions = outline(operands[0], _text(operands[1]))
            flat = [str(part) for function in functions for part in function]
            return ["outline", ",".join(map(str, lines)), *flat]
        recorded = dict(zip(map(_text, operands[1::2]), map(_text, operands[2::2])))
        return ["value", evaluate(verb, _text(operands[0]), recorded)]
    except Refused as refused:
        return ["refused", *refused.args]
    except Failed as failed:
        return ["failed", *failed.args]
    except Unparsable as error:
        return ["unparsable", str(error.args[0]), error.args[1]]
    except RecursionError:
        return ["limit", "it is nested too deeply"]
    except MemoryError:
        return ["limit", "it needs more memory than it may have, %d MiB" % (_MEMORY_LIMIT >> 20)]


def _limit(name, value):
    """Lowers a resource limit where the platform has it and allows it."""
    which = getattr(resource, name, None)
    if which is None:
        return
    hard = resource.getrlimit(which)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(which, (value, hard))
    except (OSError, ValueError):
        return  # macOS refuses some; the wall limit remains


def _text(data):
    return data.decode("utf-8", "backslashreplace")


def _receive(stream):
    """The fields of a frame, or None when there are no more."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    data = stream.read(int.from_bytes(head, "big"))
    fields, place = [], 0
    while place < len(data):
        end = place + 4 + int.from_bytes(data[place : place + 4], "big")
        fields.append(data[place + 4 : end])
        place = end
    return fields


def _send(stream, fields):
    try:
        data = [field.encode("utf-8", "backslashreplace") for field in fields]
        if sum(map(len, data)) > _REPLY_LIMIT:
            data = [b"limit", b"its result is larger than %d MiB" % (_REPLY_LIMIT >> 20)]
        body = b"".join(len(field).to_bytes(4, "big") + field for field in data)
    except MemoryError:
        reason = b"its result needs more memory than it may have"
        body = b"".join(len(field).to_bytes(4, "big") + field for field in (b"limit", reason))
    stream.write(len(body).to_bytes(4, "big") + body)
    stream.flush()
