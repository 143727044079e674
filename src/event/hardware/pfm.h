// SPDX-License-Identifier: MIT
// libpfm4: the vendors' event tables, by name.
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

// `tables` is libpfm4's name of a PMU ("skx"), of this host or of any other; `name` an event with its unit
// masks, joined by colons ("MEM_LOAD_RETIRED:L1_MISS"). kUnsupported where libpfm4 was built without these
// tables or lacks the name.
[[nodiscard]] Result<PfmCode> pfm_encode(std::string_view tables, std::string_view name);

// Before the first pfm_encode, in a program that is not ours: libpfm4 is then started in the environment as
// it is, which other threads may be reading, and knows the host's tables alone.
void leave_environment_alone();

}  // namespace hm::event
