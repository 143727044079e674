# SPDX-License-Identifier: MIT
"""turned.py ROW: turns a grey picture of 1024 columns and 200 rows by slices of bytes; rows lie ROW bytes apart."""
import sys
import zlib

ROW, ROWS, COLUMNS = int(sys.argv[1]), 200, 1024
PADDING = bytes(ROW - COLUMNS)

picture = b"".join(bytes((x * x // 7 + y) & 255 for x in range(COLUMNS)) + PADDING for y in range(ROWS))
for turn in range(9):
    turned = b"".join(picture[x::ROW] for x in range(COLUMNS))
print(zlib.crc32(turned))
