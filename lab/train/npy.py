"""Writes arrays to disk in NumPy's format, without NumPy."""

import struct


def write(path, rows):
    """Writes rows as a .npy file (numpy.lib.format, version 1.0)."""
    head = f"{{'descr': '<u2', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        for row in rows:
            row.tofile(f)
