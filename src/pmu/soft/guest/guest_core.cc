// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/guest_core.h"

#include "pmu/soft/guest/model_memory.h"
#include "pmu/soft/ring/system_call.h"
#include "pmu/soft/sampling/accounting.h"
#include "pmu/soft/sampling/run_time.h"

namespace hm::soft::guest {
namespace {

// Presence words are offsets from an address this far before the first slot, so that no word is 0.
constexpr uint32_t kCodeOffset = sizeof(model::CodePlace);
constexpr Tick kTicksPerSlot = 2;

}  // namespace

// The running code, for the models (accounting.h).
struct GuestCore::Running {
  GuestCore* guest;
  const Site* at;

  [[nodiscard]] ModelledCore& core() const { return guest->core_; }
  [[nodiscard]] Counters& counters() const { return guest->part().counters; }
  [[nodiscard]] uint64_t ip() const { return at->ip; }
  [[nodiscard]] uint64_t site() const { return at->ip; }
  static const AddressSources* address_sources() { return nullptr; }  // QEMU's code is not analysed
  static bool read(uint64_t, uint64_t*) { return false; }
  void sample(EventId id, const Cause&, Tick) const { counters().finish_period(id); }  // never due
};

GuestCore::GuestCore(unsigned number, Session& session, const ModelPlan& plan, model::SharedLevels& shared,
                     const std::array<ThreadTotals*, kModes>& totals)
    : number_(number), session_(session) {
  model::FilterTables tables = filters_->tables(0, kCodeOffset);
  build_core(core_, plan, tables, shared, model_memory(core_bytes(plan, tables)));
  for (unsigned i = 0; i < kModes; ++i) {
    parts_[i].totals = totals[i];
    parts_[i].counters.configure(session);
    parts_[i].slice.begin(core_, parts_[i].counters);
  }
}

void GuestCore::settle() {
  core_.tick = now_;
  Part& now = part();
  now.frequent.take_waits(core_);
  if (now.totals != nullptr) {
    add_total(now.totals->slots, now.frequent.instructions + now.frequent.loads + now.frequent.stores);
    add_total(now.totals->counted.slots,
              now.frequent.instructions + now.frequent.loads + now.frequent.stores);
    now.slice.add_to(now.totals->counted, now.frequent, core_, now.counters);
  }
  now.frequent = {};
  tell_run_cycles(session_, core_.run_cycles_at(now_));
  now.slice.begin(core_, now.counters);
}

void GuestCore::enter(Mode mode) {
  settle();
  mode_ = mode;
  part().slice.begin(core_, part().counters);
}

model::CodePage* GuestCore::page_of(uint64_t line) {
  uint32_t lines = core_.machine.lines_per_page();
  return code_pages_->page(line / lines, model::CodePage::bytes(lines),
                           [&](uint64_t bytes) { code_pages_->give(model_memory(bytes), bytes); });
}

void GuestCore::fetch(Block& block, uint32_t index) {
  std::vector<model::CodePage*>& pages = block.pages[number_];
  if (pages.empty()) pages.resize(block.lines.size());
  model::CodePage*& page = pages[index];
  if (page == nullptr) page = page_of(block.lines[index]);
  if (page == nullptr) return;  // beyond 1 GiB of code
  uint64_t in_page = block.lines[index] % core_.machine.lines_per_page();
  if (uint32_t word = page->presence[in_page]) {
    auto* slots = reinterpret_cast<char*>(filters_->code) - kCodeOffset;
    reinterpret_cast<model::CodePlace*>(slots + word)->stamp = now_;
    page->stamp = now_;
    return;
  }
  core_.machine.set_physical_offset(0);
  Accounting(Running{this, &block.sites[0]}).on_fetch(in_page, *page, now_);
}

void GuestCore::run(Block& block) {
  if (block.mode != mode_) [[unlikely]]
    enter(block.mode);
  if (core_.machine.geometry().models_code()) {
    for (uint32_t i = 0; i < block.lines.size(); ++i) fetch(block, i);
  }
  Part& now = part();
  now_ += kTicksPerSlot * block.instructions;
  now.frequent.instructions += block.instructions;
}

void GuestCore::access(const Site& site, uint64_t address, uint64_t physical, uint32_t bytes, bool stores) {
  using record::AccessKind;
  now_ += kTicksPerSlot;
  Part& now = part();
  ++(stores ? now.frequent.stores : now.frequent.loads);
  uint64_t tagged = GuestAddress::tagged(address, space_);
  unsigned shift = core_.machine.line_shift();
  core_.machine.set_physical_offset((physical >> shift) - (tagged >> shift));
  AccessInfo info(bytes, stores ? AccessKind::kStore : AccessKind::kLoad, false);
  Accounting(Running{this, &site}).on_data(tagged, info, now_);
}

}  // namespace hm::soft::guest
