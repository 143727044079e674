// SPDX-License-Identifier: MIT
// Resources that each thread has started and not stopped yet.
#pragma once

#include <string>

#include "base/result.h"

namespace hm::capi {

// Returns whether the calling thread has started the resource.
[[nodiscard]] bool is_started(const std::string& name);

// Implement hardmeter_start and hardmeter_stop. stop() fails with kInvalidArgument if there is nothing to
// stop.
Status start(const std::string& name);
Status stop();

}  // namespace hm::capi
