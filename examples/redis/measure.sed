# SPDX-License-Identifier: MIT
# For Redis's src/server.c: what it does to load its data becomes the region "load".
s/^#include "server\.h"$/&\n#include <hardmeter\/hardmeter.h>/
s/^\( *\)loadDataFromDisk();$/\1hardmeter_start("load");\n&\n\1hardmeter_stop();/
