# SPDX-License-Identifier: MIT
"""cumulated.py C|F: numpy's cumulated sums of a matrix's columns, by the order in which it lies in memory."""
import sys

import numpy

matrix = numpy.empty((2000, 1000), order=sys.argv[1])
for column in range(1000):
    matrix[:, column] = numpy.arange(2000) * column
print(sum(matrix[:, column].cumsum()[-1] for column in range(1000)))
