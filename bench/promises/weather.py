# SPDX-License-Identifier: MIT
"""weather.py records|columns: temperatures of 40,000 stations, in records of 128 bytes or in arrays of their own."""
import sys

import numpy

FIELDS = [("time", "f8"), ("station", "i8"), ("place", "f8", 3), ("wind", "f8", 3), ("rain", "f8", 4),
          ("temperature", "f8"), ("text", "S24")]
STATIONS = 40000

if sys.argv[1] == "records":
    weather = numpy.zeros(STATIONS, dtype=FIELDS)
else:
    weather = {field[0]: numpy.zeros(STATIONS, dtype=field[1]) for field in FIELDS}
temperature = weather["temperature"]
temperature[:] = numpy.arange(STATIONS) % 35
print(sum(float(temperature.cumsum()[-1]) for day in range(50)))
