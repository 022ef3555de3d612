"""Connects a child process of the program to npdb.

It is a module of the tracer, for forked children, and the beginning of the file
sitecustomize.py that npdb shows to the Pythons that the program starts. Any Python may
meet that file, so that it must parse in old ones.
"""

import os
import sys


def join(path, how, roots, _socket):
    """Connects to npdb's socket, and returns the text of the tracer's loader for this
    process. Returns None if npdb does not want it. how says how the process began."""
    s = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        s.connect(path)
        args = list(getattr(sys, "orig_argv", None) or sys.argv)
        fields = [str(os.getpid()), str(os.getppid()), how, sys.executable or "", "\n".join(roots)] + args
        body = b""
        for one in fields:
            data = os.fsencode(one)
            body += len(data).to_bytes(4, "little") + data
        s.sendall(len(body).to_bytes(4, "little") + body)
        _, extra, _, _ = s.recvmsg(1, _socket.CMSG_SPACE(16))
        if not extra:
            return None
        fds = tuple(int.from_bytes(extra[0][2][n : n + 4], sys.byteorder) for n in range(0, 16, 4))
        text = b""
        while True:
            piece = s.recv(1 << 16)
            if not piece:
                break
            text += piece
    finally:
        s.close()
    rest, _, loader = text.decode().partition("\n")
    return "given = (%d, %d, %d, %d, -1, %s)\n%s" % (fds + (rest, loader))
