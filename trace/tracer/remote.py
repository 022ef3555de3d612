"""Runs in a process that npdb attaches to, by sys.remote_exec: connects it to npdb.

npdb writes one line before this text, which defines path: the socket where npdb waits.
"""


def arrive(path):
    import _socket
    import sys

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        return  # npdb has given up waiting
    try:
        head, ancillary, _, _ = connection.recvmsg(8, _socket.CMSG_SPACE(16))
        rights = ancillary[0][2]
        fds = [int.from_bytes(rights[at : at + 4], sys.byteorder) for at in range(0, 16, 4)]
        left = int.from_bytes(head, "little")
        code = b""
        while len(code) < left:
            got = connection.recv(left - len(code))
            if not got:
                return
            code += got
        exec(compile(code, "<npdb enter>", "exec"), {"__name__": "npdb.enter", "connection": connection, "fds": fds})
    except (EOFError, OSError, IndexError):
        return
    finally:
        connection.close()
    sys.modules["_npdb.visiting"].begin(sys._getframe(2), at_once=True)


try:
    arrive(path)
finally:
    del arrive, path
