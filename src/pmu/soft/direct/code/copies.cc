// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/code/copies.h"

#include <initializer_list>

#include "pmu/soft/direct/code/block_trace.h"
#include "pmu/soft/direct/core/indirect_targets.h"
#include "pmu/soft/direct/runtime/check.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/direct/translate/translator.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kAddressEnd = uint64_t{1} << 47;
// A write fault costs microseconds; a comparison costs nanoseconds each time the code runs.
constexpr uint8_t kManyWrites = 64;
// Each new copy takes new memory.
constexpr uint8_t kManyRenewals = 250;

// Returns false if the kernel refuses: the memory is sealed (mseal(2)), the process may not make memory both
// writable and executable any more (PR_SET_MDWE), or it has as many mappings as it may have.
bool protect(uint64_t start, uint64_t end, int64_t protection) {
  return system_call(kMprotect, static_cast<int64_t>(start), static_cast<int64_t>(end - start), protection) ==
         0;
}

template <unsigned kBits>
unsigned hash_of(uint64_t number) {
  return static_cast<unsigned>((number * 0x9e3779b97f4a7c15u) >> (64 - kBits));
}

// Increments the counter up to `most`. Returns true once it has reached `most`.
bool is_often(uint8_t& counter, uint8_t most) {
  if (counter < most) ++counter;
  return counter == most;
}

}  // namespace

void Copies::follow_plan(const Plan& plan, const uint32_t* held, bool in_functions) {
  Plan& uninstrumented = plans_[static_cast<unsigned>(Mode::kUninstrumented)];
  Plan& touching = plans_[static_cast<unsigned>(Mode::kTouching)];
  Plan& collecting = plans_[static_cast<unsigned>(Mode::kCollecting)];
  uninstrumented = collecting = plan;
  uninstrumented.mode = Mode::kUninstrumented;
  uninstrumented.uninstrumented = true;
  uninstrumented.held = held;
  uninstrumented.in_bursts = uninstrumented.keeps_pace = uninstrumented.samples_ahead = false;
  collecting.mode = Mode::kCollecting;
  collecting.ends_activations = in_functions;
  Plan& sampling = plans_[static_cast<unsigned>(Mode::kSampling)];
  sampling = collecting;
  sampling.mode = Mode::kSampling;
  sampling.samples_ahead = false;
  if (plan.samples_ahead) collecting.demand.instructions = collecting.demand.memory = false;
  touching = collecting;
  touching.mode = Mode::kTouching;
  touching.touches_code = plan.demand.code;
  touching.demand = {};
  touching.times_paths = false;  // cycles between bursts are not counted
}

// Write-protects the pages of [start, end) that the target may write to, because code is copied from them.
// Returns true if a page was not watched before.
bool Copies::watch(uint64_t start, uint64_t end) {
  bool fresh = false;
  for (uint64_t page = start & ~(kPageBytes - 1); page < end; page += kPageBytes) {
    if (!space_.is_writable_code(page) || space_.is_checked(page)) continue;
    bool is_protected = !is_protection_fixed_ && protect(page, page + kPageBytes, kReadExecute);
    is_protected ? space_.set_watched(page, true) : space_.set_checked(page);
    fresh = true;
  }
  return fresh;
}

// Returns true if a page was not watched before: its code may have changed since it was read.
bool Copies::watch(const Superblock& source) {
  bool fresh = false;
  for (unsigned i = 0; i < source.count; ++i) fresh |= watch(source.steps[i].address, source.steps[i].next());
  return fresh;
}

void Copies::read_source(uint64_t target, Mode mode) {
  do {
    facts_.begin_block();
    read_superblock(facts_, cache_, target, mode, exact_flags_, source_);
  } while (watch(source_));
  check_source();
}

void Copies::check_source() const {
  if (!is_checking()) return;
  for (unsigned i = 0; i < source_.count; ++i) {
    const Step& step = source_.steps[i];
    bool is_code = space_.executable_end(step.address) != 0 && space_.executable_end(step.next() - 1) != 0;
    check(is_code, "copies are made of executable memory");
    bool is_followed = !space_.is_writable_code(step.address) || space_.is_checked(step.address);
    check(is_followed, "copied code that may change is watched or compared");
  }
}

Block& Copies::block_at(uint64_t target, Mode mode) {
  if (Block* known = cache_.find_block(target, mode)) return *known;
  const Plan& plan = plans_[static_cast<unsigned>(mode)];
  if (mode == Mode::kUninstrumented && facts_.is_entry(target)) {
    Translator translator(plan, cache_, cache_.arena_near(target), facts_);
    return *cache_.add_block(translator.translate_entry(target));
  }
  read_source(target, mode);
  if (source_.returns_flags && !exact_flags_) {
    keep_all_flags();
    read_source(target, mode);
  }
  Block copy = Translator(plan, cache_, cache_.arena_near(target), facts_).translate(source_);
  if (plan.traced) trace_block(recording_, source_, copy);
  return *cache_.add_block(copy);
}

void Copies::forget_indirect(const Block& block) {
  cores_.for_each([&](Core& core) { forget_indirect_target(core, block.source); });
}

void Copies::forget_all() {
  cache_.drop_all_blocks();
  cores_.for_each([](Core& core) { forget_indirect_targets(core); });
}

void Copies::keep_all_flags() {
  if (exact_flags_) return;
  exact_flags_ = true;
  forget_all();
}

void Copies::drop(uint64_t start, uint64_t end) {
  cache_.drop_blocks(
      start, end,
      [](const Block& block, void* copies)
          HM_UNCHECKED_LOCKS { static_cast<Copies*>(copies)->forget_indirect(block); },
      this);
}

void Copies::forget_code(uint64_t start, uint64_t end) {
  for (Range code = space_.first_executable(start, end); code.start < code.end;
       code = space_.first_executable(code.end, end))
    drop(code.start, code.end);
}

void Copies::forget_block_at(uint64_t source) {
  for (Mode mode : {Mode::kUninstrumented, Mode::kTouching, Mode::kCollecting, Mode::kSampling}) {
    if (const Block* block = cache_.drop_block(source, mode)) forget_indirect(*block);
  }
}

// Watches each page before it reads the page, because threads that run natively may write meanwhile.
void Copies::drop_changed() {
  cache_.for_each_source_page([&](SourcePage& page) HM_UNCHECKED_LOCKS {
    uint64_t start = page.number * kPageBytes;
    watch(start, start + 1);
    bool is_watched = !space_.is_checked(start);  // else copies that do not compare their source may be there
    bool is_same = is_watched && space_.executable_end(start) != 0 && sum_of_page(page.number) == page.sum;
    if (!is_same) drop(start, start + kPageBytes);
  });
}

void Copies::use_memory_again() {
  constexpr uint64_t kMuch = uint64_t{32} << 20;
  CodeCache::Use use = cache_.use();
  bool is_worth_it = use.hot_bytes > kMuch && use.dropped_bytes > use.hot_bytes / 2;
  if (!is_worth_it && !cache_.is_nearly_full()) return;
  cache_.forget_all();
  cores_.for_each([](Core& core) { forget_indirect_targets(core); });
}

// Calls visit(page) for each watched page of [start, end). visit() may stop watching that page and others.
template <typename Visit>
void Copies::for_each_watched(uint64_t start, uint64_t end, Visit visit) {
  for (Range each = space_.first_watched(start, end); each.start < each.end;
       each = space_.first_watched(each.end, end)) {
    for (uint64_t page = each.start; page < each.end; page += kPageBytes) visit(page);
  }
}

void Copies::unwatch_all() {
  for (Range each = space_.first_watched(0, kAddressEnd); each.start < each.end;
       each = space_.first_watched(each.end, kAddressEnd)) {
    (void)protect(each.start, each.end, kReadWriteExecute);
    for (uint64_t page = each.start; page < each.end; page += kPageBytes) space_.set_watched(page, false);
  }
}

void Copies::fix_protection() {
  Guard guard(lock_);
  for_each_watched(0, kAddressEnd, [&](uint64_t page) HM_UNCHECKED_LOCKS { (void)unwatch(page); });
  is_protection_fixed_ = true;
}

bool Copies::resolve_write(uint64_t address) {
  Guard guard(lock_);
  uint64_t page = address & ~(kPageBytes - 1);
  if (space_.is_writable_code(page)) return true;  // another thread's write has just made it writable
  if (!space_.is_watched(page)) return false;
  if (!unwatch(page)) return false;
  if (is_often(writes_[hash_of<kCounterBits>(page / kPageBytes)], kManyWrites)) space_.set_checked(page);
  return true;
}

// If the kernel does not split a mapping, all watched pages beside this one become writable, too; and if it
// refuses memory that is both writable and executable, the page is only writable, which copies do not notice.
// Returns false if the page cannot become writable. Copies are dropped before that.
bool Copies::unwatch(uint64_t page) {
  Range all{page, page + kPageBytes};
  forget_code(all.start, all.end);
  bool is_done = protect(all.start, all.end, kReadWriteExecute);
  if (!is_done) {
    while (space_.is_watched(all.start - kPageBytes)) all.start -= kPageBytes;
    while (space_.is_watched(all.end)) all.end += kPageBytes;
    forget_code(all.start, all.end);
    is_done =
        protect(all.start, all.end, kReadWriteExecute) || protect(all.start, all.end, kReadable | kWritable);
  }
  for (uint64_t each = all.start; each < all.end; each += kPageBytes) space_.set_watched(each, false);
  return is_done;
}

void Copies::expect_write(uint64_t address, uint64_t bytes) {
  Guard guard(lock_);
  uint64_t end = space_.writable_code_end(address);
  if (end == 0) return;
  if (bytes < end - address) end = address + bytes;
  for_each_watched(address & ~(kPageBytes - 1), end,
                   [&](uint64_t page) HM_UNCHECKED_LOCKS { (void)unwatch(page); });
}

void Copies::expect_write_of(uint64_t address, uint64_t bytes) {
  Guard guard(lock_);
  if (address >= kAddressEnd || bytes == 0) return;
  uint64_t end = bytes < kAddressEnd - address ? address + bytes : kAddressEnd;
  for_each_watched(address & ~(kPageBytes - 1), end,
                   [&](uint64_t page) HM_UNCHECKED_LOCKS { (void)unwatch(page); });
}

bool Copies::give_up_watching() {
  Guard guard(lock_);
  bool any = space_.watches_any();
  for_each_watched(0, kAddressEnd, [&](uint64_t page) HM_UNCHECKED_LOCKS { (void)unwatch(page); });
  return any;
}

bool Copies::renew_block_at(uint64_t source) {
  forget_block_at(source);
  return !is_often(renewals_[hash_of<kCounterBits>(source)], kManyRenewals);
}

}  // namespace hm::soft::direct
