// SPDX-License-Identifier: MIT
// The functions of libpqos that are used here, found when they are wanted. Linking with it would keep
// hardmeter from starting on the many machines without it, for the sake of one provider of several.
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

// It stays loaded until the process ends. kUnsupported where there is none with the layout of structures that
// pqos.h had when this was compiled.
[[nodiscard]] Result<PqosLibrary> load_pqos_library();

}  // namespace hm::rdt
