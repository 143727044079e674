// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/guest_core.h"

#include <utility>

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
  bool at_instruction = true;
  bool stores = false;

  [[nodiscard]] ModelledCore& core() const { return guest->core_; }
  [[nodiscard]] Counters& counters() const { return guest->part().counters; }
  [[nodiscard]] uint64_t ip() const { return at->ip + guest->shift_; }
  // A copying instruction loads and stores in turn: two series of addresses.
  [[nodiscard]] uint64_t site() const { return at->ip * 2 + (stores ? 1 : 0); }
  static const AddressSources* address_sources() { return nullptr; }  // QEMU's code is not analysed
  static bool read(uint64_t, uint64_t*) { return false; }
  void sample(EventId id, const Cause& cause, Tick now) const { guest->take(id, cause, now, at_instruction); }
};

GuestCore::GuestCore(unsigned number, Session& session, const ModelPlan& plan, model::SharedLevels& shared,
                     const std::array<ThreadTotals*, kModes>& totals, Sampling sampling,
                     PageSizes* page_sizes)
    : number_(number),
      session_(session),
      sampling_(std::move(sampling)),
      demand_(demand_of(session)),
      page_sizes_(page_sizes) {
  model::FilterTables tables = filters_->tables(0, kCodeOffset);
  physical_lines_ = std::make_unique<uint64_t[]>(CoreFilters::kNowhere + 1);
  hint_mask_ = model::filter_hints(session.geometry.l1d) - 1;
  build_core(core_, plan, tables, shared, model_memory(core_bytes(plan, tables)));
  for (unsigned i = 0; i < kModes; ++i) {
    parts_[i].totals = totals[i];
    parts_[i].counters.configure(session);
    if (totals[i] == nullptr) parts_[i].counters.stop_sampling();
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
  report_run_cycles(session_, core_.run_cycles_at(now_));
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

void GuestCore::fetch(const Block& block, uint32_t index, CodeLine& line) {
  if (line.page == nullptr) {
    line.page = page_of(block.lines[index]);
    line.in_page = static_cast<uint32_t>(block.lines[index] % core_.machine.lines_per_page());
    if (line.page == nullptr) return;  // beyond 1 GiB of code
  }
  if (uint32_t word = line.page->presence[line.in_page]) {
    auto* slots = reinterpret_cast<char*>(filters_->code) - kCodeOffset;
    reinterpret_cast<model::CodePlace*>(slots + word)->stamp = now_;
    line.page->stamp = now_;
    return;
  }
  core_.machine.set_physical_offset(0);
  const Site& first = block.sites[block.first_sites[index]];
  Accounting(Running{this, &first, index == 0}).on_fetch(line.in_page, *line.page, now_);
}

// QEMU's translations do not know at which address they run: a register does. A block ends with its page, so
// the register is less than a page beyond the block's beginning.
uint64_t GuestCore::shift_of(Block& block) const {
  if (block.mode == Mode::kKernel) return 0;  // the kernel's code has one address
  Shift& shift = block.shifts[number_];
  if (shift.known_for != mapping_key()) {
    uint64_t beyond = sampling_.instruction_pointer(number_) - block.sites.front().ip;
    shift = {mapping_key(), beyond & ~(kPageBytes - 1)};
  }
  return shift.bytes;
}

// Instructions of a block are counted at its beginning.
void GuestCore::sample_instructions(const Block& block) {
  Counters& counters = part().counters;
  int64_t before = counters.remaining_of(EventId::kInstrRetired);
  if (!counters.add(EventId::kInstrRetired, block.instructions)) return;
  auto index = static_cast<uint32_t>(before > 0 ? before - 1 : 0);
  Cause cause;
  cause.ip = block.sites[index < block.instructions ? index : 0].ip + shift_;
  take(EventId::kInstrRetired, cause, now_, index == 0);
}

// The cycles of a block are known when the next one begins.
void GuestCore::sample_clock() {
  Site last{last_ip_ - shift_};
  Accounting(Running{this, &last, false}).on_clock(last_ip_, now_);
}

void GuestCore::take(EventId id, Cause cause, Tick now, bool at_instruction) {
  DueSample due;
  due.event = id;
  due.period = part().counters.finish_period(id);
  if (!sampling_.take || session_.stop != 0) return;
  bool has_data = has_data_address(cause);
  if (has_data) cause.address = GuestAddress::untagged(cause.address);
  if (cause.kind == record::AccessKind::kFetch)
    cause.address = cause.ip >> core_.machine.line_shift() << core_.machine.line_shift();
  due.id = part().counters.id(id);
  due.cause = cause;
  due.cpu = number_;
  due.mode = mode_;
  due.run_cycles = core_.run_cycles_at(now);
  due.physical_address = has_data ? physical_ : 0;
  due.at_instruction = at_instruction;
  sampling_.take(due);
}

void GuestCore::run(Block& block) {
  if (demand_.clock && last_ip_ != 0) sample_clock();
  shift_ = sampling_.take ? shift_of(block) : 0;
  last_ip_ = block.sites.back().ip + shift_;
  if (block.mode != mode_) [[unlikely]]
    enter(block.mode);
  if (core_.machine.geometry().models_code()) {
    auto count = static_cast<uint32_t>(block.lines.size());
    CodeLine* lines = block.code.data() + size_t{number_} * count;
    for (uint32_t i = 0; i < count; ++i) fetch(block, i, lines[i]);
  }
  Part& now = part();
  now_ += kTicksPerSlot * block.instructions;
  now.frequent.instructions += block.instructions;
  if (demand_.instructions) sample_instructions(block);
}

// The check that other engines make inline (model/data_filter.h). The line at this address may be another one
// by now.
bool GuestCore::passes(uint64_t address, uint64_t physical, uint32_t bytes, bool stores) {
  unsigned shift = core_.machine.line_shift();
  size_t place = filters_->hints[address >> shift & hint_mask_] / sizeof(model::DataPlace);
  model::DataPlace& data = filters_->data[place];
  uint64_t passing = stores ? filters_->stores[place].passing : data.passing;
  bool is_same = address - passing <= core_.machine.geometry().line_bytes - uint64_t{bytes} &&
                 physical_lines_[place] == physical >> shift;
  if (is_same) data.stamp = now_;
  return is_same;
}

void GuestCore::remember(uint64_t address, uint64_t physical) {
  unsigned shift = core_.machine.line_shift();
  size_t place = filters_->hints[address >> shift & hint_mask_] / sizeof(model::DataPlace);
  physical_lines_[place] = physical >> shift;
}

void GuestCore::enter_space(uint64_t page_table) {
  page_table_ = page_table;
  space_ = spaces_.try_emplace(page_table, spaces_.size()).first->second;
}

uint64_t GuestCore::tagged(uint64_t address) const {
  if (!GuestAddress::is_kernel(address)) return GuestAddress::of_program(address, space_);
  bool is_large = page_sizes_ != nullptr && page_sizes_->is_large(page_table_, address);
  return GuestAddress::of_kernel(address, is_large);
}

void GuestCore::access(const Site& site, uint64_t address, uint64_t physical, uint32_t bytes, bool stores) {
  using record::AccessKind;
  now_ += kTicksPerSlot;
  Part& now = part();
  ++(stores ? now.frequent.stores : now.frequent.loads);
  uint64_t known = tagged(address);
  if (!demand_.memory && passes(known, physical, bytes, stores)) return;
  unsigned shift = core_.machine.line_shift();
  core_.machine.set_physical_offset((physical >> shift) - (known >> shift));
  physical_ = physical;
  AccessInfo info(bytes, stores ? AccessKind::kStore : AccessKind::kLoad, false);
  Accounting accounting(Running{this, &site, true, stores});
  accounting.on_data(known, info, now_);
  remember(known, physical);
  if (!demand_.memory) return;
  bool is_due = now.counters.add(stores ? EventId::kMemoryStores : EventId::kMemoryLoads, 1);
  is_due |= now.counters.add(EventId::kMemoryMoves, 1);
  if (is_due) accounting.on_memory_overflow(known, info, now_);
}

}  // namespace hm::soft::guest
