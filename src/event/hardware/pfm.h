// SPDX-License-Identifier: MIT
// libpfm4: the vendors' event tables by name.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace hm::event {

struct PfmCode {
  uint64_t config = 0;
  uint64_t config1 = 0;
  uint64_t config2 = 0;
};

// `tables` is libpfm4's name of a PMU ("skx"), not necessarily the host's. `name` is an event with its unit
// masks, joined by colons ("MEM_LOAD_RETIRED:L1_MISS"). Fails with kUnsupported if libpfm4 was built without
// these tables or lacks the name.
[[nodiscard]] Result<PfmCode> pfm_encode(std::string_view tables, std::string_view name);

// Call this before the first pfm_encode if the process is another program's, because its threads may be
// reading the environment. libpfm4 then starts with the unchanged environment, and only has the host's
// tables.
void leave_environment_alone();

}  // namespace hm::event
