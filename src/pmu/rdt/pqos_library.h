// SPDX-License-Identifier: MIT
// The functions of libpqos, loaded on demand. If hardmeter were linked with libpqos, it would not start on
// the many machines without it, although only one provider needs it.
#pragma once

#include <pqos.h>

#include "base/result.h"

namespace hm::rdt {

// pqos_mon_start() is deprecated since libpqos 6, but libpqos 4 has no successor of it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
struct PqosLibrary {
  decltype(&::pqos_init) init;
  decltype(&::pqos_fini) fini;
  decltype(&::pqos_cap_get) cap_get;
  decltype(&::pqos_mon_assoc_get) mon_assoc_get;
  decltype(&::pqos_mon_start) mon_start;
  decltype(&::pqos_mon_stop) mon_stop;
  decltype(&::pqos_mon_poll) mon_poll;
};
#pragma GCC diagnostic pop

// Loads libpqos, which stays loaded until the process ends. Fails with kUnsupported if there is no libpqos
// with the structure layout of the pqos.h used for compilation.
[[nodiscard]] Result<PqosLibrary> load_pqos_library();

}  // namespace hm::rdt
