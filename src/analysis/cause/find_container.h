// SPDX-License-Identifier: MIT
// Finds the container that a place's data belongs to.
#pragma once

#include <string>

#include "analysis/callers/frame_numbers.h"
#include "analysis/cause/container.h"
#include "analysis/cause/gathered.h"
#include "profile/profile.h"

namespace hm::cause {

struct FoundContainer {
  Container container = Container::kNone;
  bool iterates = false;  // the code goes from element to element
  std::string basis{};    // on which the finding rests, one clause
};

// Considers, in this order: the code that allocated the data, the data's type, and the functions around the
// place. The first that names a container for most samples counts. At most 64 samples are read.
[[nodiscard]] FoundContainer find_container(const profile::Profile& profile, callers::FrameNumbers& frames,
                                            const Gathered& place);

}  // namespace hm::cause
