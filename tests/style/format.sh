#!/bin/bash
# SPDX-License-Identifier: MIT
# Every source file is as clang-format ($1) writes it.
find src tests bench examples integrations -name '*.cc' -o -name '*.h' -o -name '*.c' | xargs "$1" --dry-run -Werror
