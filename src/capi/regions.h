// SPDX-License-Identifier: MIT
// What each thread has started and not stopped yet.
#pragma once

#include <string>

#include "base/result.h"

namespace hm::capi {

// Whether the calling thread has started the resource.
[[nodiscard]] bool is_started(const std::string& name);

// As hardmeter_start and hardmeter_stop. kInvalidArgument where there is nothing to stop.
Status start(const std::string& name);
Status stop();

}  // namespace hm::capi
