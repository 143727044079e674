// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/engine_choice.h"

#include "pmu/soft/launcher/direct_engine.h"
#include "pmu/soft/launcher/valgrind_engine.h"

namespace hm::soft {

Status Engine::attach(Session&, const std::string&, pid_t) {
  return make_error(
      ErrorCode::kUnsupported,
      "only the copying engine can be brought into a running process, and {} is another; use --engine=direct",
      name());
}

Result<std::unique_ptr<Engine>> choose_engine(EngineWish wish, const GuestOptions& guest) {
  if (wish == EngineWish::kGuest) return find_guest_engine(guest);
  if (wish == EngineWish::kDirect) return find_direct_engine();
  if (wish == EngineWish::kAuto && try_tracing()) {
    if (auto direct = find_direct_engine()) return direct;
  }
  return find_valgrind_engine();
}

}  // namespace hm::soft
