# SPDX-License-Identifier: MIT
"""Markdown tables, and the forms of numbers in them."""
import math


def print_table(titles, rows, left=1):
    """Prints a Markdown table; the first `left` columns are aligned to the left, the others to the right."""
    print("\n| " + " | ".join(titles) + " |")
    print("|" + "|".join("---" if i < left else "---:" for i in range(len(titles))) + "|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print(flush=True)


def number(value, digits=3):
    """Returns a number with at least `digits` significant digits, as a decimal. Empty for None."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    return f"{value:,.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"


def percent(fraction, digits=0):
    return "" if fraction is None else f"{100 * fraction:.{digits}f} %"
