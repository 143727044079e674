// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "pmu/soft/launcher/engine.h"

namespace hm::soft {

enum class EngineWish { kAuto, kDirect, kValgrind };

// kAuto: the copying engine if it can run here, else Valgrind. Fails with the reason if there is no engine.
Result<std::unique_ptr<Engine>> choose_engine(EngineWish wish);

}  // namespace hm::soft
