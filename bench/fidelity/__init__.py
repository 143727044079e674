# SPDX-License-Identifier: MIT
"""The parts of fidelity.py, which compares modelled cycles with the clock."""
