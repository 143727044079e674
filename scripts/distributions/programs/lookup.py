# SPDX-License-Identifier: MIT
"""Looks numbers up in a dictionary, in an order that no cache likes."""
table = {number: str(number) for number in range(100000)}
number, length = 1, 0
for _ in range(200000):
    number = (number * 1664525 + 1013904223) % 2**32
    length += len(table[number % 100000])
print(length)
