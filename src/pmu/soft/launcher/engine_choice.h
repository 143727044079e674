// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "pmu/soft/launcher/engine.h"
#include "pmu/soft/launcher/guest_engine.h"

namespace hm::soft {

enum class EngineWish { kAuto, kDirect, kValgrind, kGuest };

// kAuto chooses the copying engine if it can run here, otherwise Valgrind. `guest` is for kGuest. An error
// contains the reason why no engine can run.
Result<std::unique_ptr<Engine>> choose_engine(EngineWish wish, const GuestOptions& guest = {});

}  // namespace hm::soft
