// SPDX-License-Identifier: MIT
#include "both_headers.c"
