# SPDX-License-Identifier: MIT
"""The parts of suites.py, which runs test suites of other projects."""
