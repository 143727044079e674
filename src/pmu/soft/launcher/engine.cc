// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/engine.h"

#include "pmu/soft/launcher/direct_engine.h"
#include "pmu/soft/launcher/valgrind_engine.h"

namespace hm::soft {

Result<std::unique_ptr<Engine>> choose_engine(EngineWish wish) {
  return wish == EngineWish::kDirect ? find_direct_engine() : find_valgrind_engine();
}

}  // namespace hm::soft
