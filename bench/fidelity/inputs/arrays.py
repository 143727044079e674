# SPDX-License-Identifier: MIT
"""Sorts, sums, transposes and multiplies arrays of numpy."""
import numpy

values = (numpy.arange(1_000_000, dtype=numpy.float64) * 7919) % 1_000_003
order = numpy.argsort(values, kind="quicksort")
matrix = values.reshape(1000, 1000)
total = numpy.cumsum(values[order])[-1] + numpy.sqrt(matrix.T.copy()).sum()
total += (matrix[:300, :300] @ matrix[:300, :300].T)[5, 7] + numpy.where(matrix > 500_000, matrix, -matrix).mean(axis=0).sum()
print(float(total))
