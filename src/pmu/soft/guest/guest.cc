// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/guest.h"

#include <unistd.h>

#include <cstdlib>

#include "pmu/soft/guest/model_memory.h"
#include "pmu/soft/ring/system_call.h"
#include "pmu/soft/sampling/thread_slots.h"

namespace hm::soft::guest {

bool Guest::open() {
  const char* folder = std::getenv(kSessionVariable);
  return folder != nullptr && link_.open_session(folder);
}

unsigned Guest::line_shift() { return model::log2_of(link_.session()->geometry.line_bytes); }

bool Guest::begin(unsigned cores) {
  Session& session = *link_.session();
  ModelPlan plan = model_plan(session, cores, model_memory);
  void* levels = model_memory(shared_bytes(plan));
  if (!cores_.empty() || !memory_.find() || levels == nullptr || !link_.open_ring()) return false;
  shared_ = build_shared(plan, levels);
  RingStatus& status = link_.ring()->status();
  for (unsigned i = 0; i < cores; ++i) {
    std::array<ThreadTotals*, kModes> totals{};
    for (unsigned mode = 0; mode < kModes; ++mode) {
      bool is_wanted = (session.guest_modes >> mode & 1) != 0;
      if (!is_wanted) continue;
      totals[mode] = take_slot(status, i * kModes + mode + 1);
      if (totals[mode] == nullptr) return false;
    }
    cores_.push_back(std::make_unique<GuestCore>(i, session, plan, shared_, totals));
  }
  link_.ring()->open(static_cast<uint32_t>(::getpid()));
  measures_ = true;
  return true;
}

void Guest::finish() {
  for (const auto& core : cores_) core->settle();
  if (link_.ring() != nullptr) link_.ring()->close();
}

void Guest::end(int exit_status) {
  measures_ = false;
  exit_status_ = exit_status;
  link_.session()->guest_ended = 1;
}

Block* Guest::block_of(Block&& block) {
  BlockKey key = block.lines;
  for (const Site& each : block.sites) key.push_back(each.ip);
  std::lock_guard guard(blocks_lock_);
  std::unique_ptr<Block>& known = blocks_[key];
  if (known == nullptr) {
    block.pages.resize(cores_.size());
    known = std::make_unique<Block>(std::move(block));
  }
  return known.get();
}

}  // namespace hm::soft::guest
