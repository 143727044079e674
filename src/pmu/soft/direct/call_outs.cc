// SPDX-License-Identifier: MIT
// What copied code calls when a filter does not let an access pass. Each returns whether samples are due.
#include "pmu/soft/direct/call_outs.h"

#include "pmu/soft/direct/code_pages.h"
#include "pmu/soft/direct/core_offsets.h"
#include "pmu/soft/direct/decode/instruction.h"
#include "pmu/soft/direct/thread.h"
#include "pmu/soft/events/accounting.h"

namespace hm::soft::direct {
namespace {

// Samples wait until the target's registers have been saved; where they happened is then looked up.
class Running {
 public:
  explicit Running(Core& core) : core_(core) {}
  [[nodiscard]] ModelledCore& core() const { return core_.model; }
  [[nodiscard]] Counters& counters() const { return core_.thread->counters; }
  [[nodiscard]] static uint64_t ip() { return 0; }
  void sample(EventId id, const Cause& cause, Tick now) const {
    PendingSamples& pending = core_.pending;
    if (pending.count < kEventCount) pending.samples[pending.count++] = {id, now, cause};
  }

 private:
  Core& core_;
};

Accounting<Running> accounting(Core& core) { return Accounting(Running(core)); }

}  // namespace
}  // namespace hm::soft::direct

using namespace hm::soft;
using namespace hm::soft::direct;

extern "C" {

uint32_t hm_on_data(Core* core, uint64_t address, uint64_t tick, uint32_t what) {
  accounting(*core).on_data(address, AccessInfo::unpack(what & ((1u << ACCESS_BITS) - 1)), tick);
  return core->pending.count;
}

uint32_t hm_on_fetch(Core* core, uint64_t page_offset, uint64_t tick, uint32_t line) {
  auto* page = reinterpret_cast<hm::model::CodePage*>(reinterpret_cast<char*>(core) + page_offset);
  accounting(*core).on_fetch(line, *page, tick);
  return core->pending.count;
}

}  // extern "C"
