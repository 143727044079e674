# SPDX-License-Identifier: MIT
"""blur.py ROW: scipy blurs a picture of 300 rows and 1024 columns down its columns; rows lie ROW floats apart."""
import sys

import numpy
from scipy.ndimage import gaussian_filter1d

ROW = int(sys.argv[1])


def picture():
    return numpy.zeros((300, ROW))[:, :1024]


source = picture()
source[:] = numpy.arange(300 * 1024).reshape(300, 1024) * 7919 % 251
print(sum(float(gaussian_filter1d(source, 2, axis=0, output=picture()).sum()) for turn in range(6)))
