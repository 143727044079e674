# SPDX-License-Identifier: MIT
"""Measures of agreement between two series of numbers or two distributions."""
import math
import statistics

FACTORS = (1.5, 2, 3)


def geometric_deviation(ratios):
    """Returns the geometric standard deviation: a factor of at least 1."""
    return math.exp(statistics.pstdev(math.log(ratio) for ratio in ratios))


def share_within(ratios, factor):
    """Returns the fraction of ratios from 1 / factor to factor."""
    return sum(1 / factor <= ratio <= factor for ratio in ratios) / len(ratios)


def variation(values):
    """Returns the coefficient of variation: the standard deviation divided by the mean."""
    return statistics.pstdev(values) / statistics.fmean(values)


def total_variation(one, other):
    """Returns half the sum of absolute differences of two distributions, from 0 (equal) to 1 (disjoint)."""
    one, other = normalized(one), normalized(other)
    return sum(abs(one.get(key, 0) - other.get(key, 0)) for key in one.keys() | other.keys()) / 2


def normalized(counts):
    """Returns the counts divided by their sum; empty if the sum is 0."""
    total = sum(counts.values())
    return {key: count / total for key, count in counts.items()} if total else {}


def ranks(values):
    """Returns the rank of each value from 1; equal values have the mean of their ranks."""
    return [sum(each < value for each in values) + (1 + sum(each == value for each in values)) / 2 for value in values]


def spearman(one, other):
    """Returns Spearman's rank correlation: the linear correlation of the ranks. None if all values of a series are equal."""
    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    return statistics.correlation(ranks(one), ranks(other))


def median_error(values):
    """Returns half the width of the median's 95 % interval, from the median absolute deviation of normal errors."""
    middle = statistics.median(values)
    deviation = 1.4826 * statistics.median(abs(value - middle) for value in values)
    return 1.96 * math.sqrt(math.pi / 2) * deviation / math.sqrt(len(values))
