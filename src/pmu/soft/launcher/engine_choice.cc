// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/engine_choice.h"

#include "pmu/soft/launcher/direct_engine.h"
#include "pmu/soft/launcher/valgrind_engine.h"

namespace hm::soft {

Result<std::unique_ptr<Engine>> choose_engine(EngineWish wish) {
  if (wish == EngineWish::kDirect) return find_direct_engine();
  if (wish == EngineWish::kAuto && try_tracing()) {
    if (auto direct = find_direct_engine()) return direct;
  }
  return find_valgrind_engine();
}

}  // namespace hm::soft
