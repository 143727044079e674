// SPDX-License-Identifier: MIT
// The functions of libpqos used here, loaded at run time. Linking with libpqos would keep hardmeter from
// starting on the many machines without it, for one provider of several.
#pragma once

#include <pqos.h>

#include "base/result.h"

namespace hm::rdt {

struct PqosLibrary {
  decltype(&::pqos_init) init;
  decltype(&::pqos_fini) fini;
  decltype(&::pqos_cap_get) cap_get;
  decltype(&::pqos_mon_assoc_get) mon_assoc_get;
  decltype(&::pqos_mon_start) mon_start;
  decltype(&::pqos_mon_stop) mon_stop;
  decltype(&::pqos_mon_poll) mon_poll;
};

// Loads libpqos until the process ends. Fails with kUnsupported if no libpqos has the structure layout of the
// pqos.h that this was compiled with.
[[nodiscard]] Result<PqosLibrary> load_pqos_library();

}  // namespace hm::rdt
