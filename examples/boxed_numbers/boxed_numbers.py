# SPDX-License-Identifier: MIT
"""boxed_numbers.py [mended]: adds up a list of numbers, each an object of its own, in no order. Mended: an array."""
import array
import random
import sys

numbers = [i * 7 for i in range(200000)]
random.seed(1)
random.shuffle(numbers)
if sys.argv[1:] == ["mended"]:
    numbers = array.array("q", numbers)
total = 0
for _ in range(10):
    for number in numbers:
        total += number
print(total)
