// SPDX-License-Identifier: MIT
// Code that a program copied to huge pages (node --use-largepages, Chromium, iodlr, BOLT's hot text). The
// program maps memory over its own code, and copies the code there.
#pragma once

#include <optional>
#include <vector>

#include "profile/address_space.h"

namespace hm::profile {

// Returns the parts of the mapping, which is about to be added, that have the code of the file that it hides.
// If the recorder compared the code (Mapping::same_code), the result of that comparison decides. Otherwise,
// executable memory is taken for a copy if its address and its length are multiples of 2 MiB: compilers map
// memory at unused addresses, and a file that was unmapped is rarely that large. Recordings have no record
// of unmapping.
[[nodiscard]] std::vector<Mapping> hidden_code(const Mapping& added, const AddressSpace& space);

// Returns the mapping below `added` if it is executable memory in a gap of the file of `added`, as the part
// of this file. A process that was running before has this gap where it copied its code. If the recorder
// compared the code, the copy may also be the beginning of the file's code; hidden_code() finds the end.
[[nodiscard]] std::optional<Mapping> code_in_gap(const Mapping& added, const AddressSpace& space);

}  // namespace hm::profile
