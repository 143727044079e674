# SPDX-License-Identifier: MIT
"""The victim: for 25 seconds random look-ups in a dictionary of some 6 MiB, as a service answers requests."""
import random
import time

prices = {f"item {i}": i for i in range(40_000)}
names = list(prices)
end = time.monotonic() + 25
while time.monotonic() < end:
    total = sum(prices[random.choice(names)] for _ in range(1000))
