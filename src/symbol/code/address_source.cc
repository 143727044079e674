// SPDX-License-Identifier: MIT
#include "symbol/code/address_source.h"

#include <asm/perf_regs.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "symbol/code/steps.h"

namespace hm::symbol {
namespace {

// Mask bits that no register number uses; they represent stack slots.
constexpr uint32_t kSlotBits = 0xff00fe00;

// Treats words of the stack frame that the loop reads and writes like registers, because compilers keep
// variables there if they run out of registers. Writes to these words through pointers are not detected. %rbp
// counts as the frame pointer if the function sets it up as one.
void name_frame_slots(std::vector<Step>& loop, bool has_frame_pointer) {
  std::map<std::pair<uint8_t, int64_t>, uint32_t> slots;
  uint32_t free = kSlotBits;
  for (Step& step : loop) {
    bool in_frame = step.base == PERF_REG_X86_SP || (step.base == PERF_REG_X86_BP && has_frame_pointer);
    if (!in_frame || step.bytes == 0 || step.index != kNoRegister) continue;
    auto [slot, is_new] = slots.try_emplace({step.base, step.displacement}, free & (0 - free));
    if (is_new) free &= free - 1;
    if (slot->second == 0) continue;  // no free bits left
    if (step.loads) step.reads |= slot->second;
    if (step.stores) step.writes |= slot->second;
    step.loads = false;
  }
}

using StepIterator = std::vector<Step>::const_iterator;

// The steps of a loop, up to the jump back to its first step.
struct Range {
  StepIterator first, last;
};

// Returns true if control can get from `from` to `to` within the range. Indirect jumps are not followed.
bool reaches(const Range& range, StepIterator from, StepIterator to) {
  std::vector<bool> seen(static_cast<size_t>(range.last - range.first) + 1);
  std::vector<StepIterator> open{from};
  auto visit = [&](StepIterator place) {
    if (seen[static_cast<size_t>(place - range.first)]) return;
    seen[static_cast<size_t>(place - range.first)] = true;
    open.push_back(place);
  };
  while (!open.empty()) {
    StepIterator place = open.back();
    open.pop_back();
    if (place == to) return true;
    if (place->goes_on && place != range.last) visit(place + 1);
    if (place->jump_to < range.first->address || place->jump_to > range.last->address) continue;
    StepIterator target =
        std::lower_bound(range.first, range.last, place->jump_to,
                         [](const Step& step, uint64_t address) { return step.address < address; });
    visit(target);
  }
  return false;
}

// Returns the smallest loop around the access among the first kMaxTried candidates; nullopt if there is
// none. A backward jump that control cannot reach from the access makes no loop: cases of a switch end with
// these jumps.
std::optional<Range> loop_around(const std::vector<Step>& steps, StepIterator access) {
  constexpr size_t kMaxTried = 64;
  std::vector<Range> ranges;
  for (StepIterator jump = access; jump != steps.end(); ++jump) {
    if (jump->jump_to < steps.front().address || jump->jump_to > access->address) continue;
    ranges.push_back({std::ranges::lower_bound(steps, jump->jump_to, {}, &Step::address), jump});
  }
  std::ranges::stable_sort(ranges, {}, [](const Range& range) { return range.last - range.first; });
  for (size_t i = 0; i < ranges.size() && i < kMaxTried; ++i) {
    if (reaches(ranges[i], ranges[i].first, access) && reaches(ranges[i], access, ranges[i].last))
      return ranges[i];
  }
  return std::nullopt;
}

// The steps of the loop in reverse order: from the step before the access, around the loop, to the access
// itself.
class Loop {
 public:
  Loop(const std::vector<Step>& steps, StepIterator access) {
    std::optional<Range> range = loop_around(steps, access);
    if (!range) return;
    first_ = range->first;
    for (StepIterator i = access; i != range->first;) back_.push_back(*--i);
    for (StepIterator i = range->last;; --i) {
      back_.push_back(*i);
      if (i == access) break;
    }
    name_frame_slots(back_, std::ranges::any_of(steps, &Step::makes_frame));
  }

  [[nodiscard]] bool found() const { return !back_.empty(); }
  // Returns the loop's first step in the code; valid if found().
  [[nodiscard]] StepIterator first() const { return first_; }
  // Returns the access, the last step in reverse order.
  [[nodiscard]] const Step& access() const { return back_.back(); }
  [[nodiscard]] size_t size() const { return back_.size(); }

  // Returns the position of the last step before `place`, around the loop, that writes the register `one`;
  // nullopt if there is none.
  [[nodiscard]] std::optional<size_t> writer(uint32_t one, size_t place) const {
    for (size_t i = 1; i <= back_.size(); ++i) {
      size_t at = (place + i) % back_.size();
      if ((back_[at].writes & one) != 0) return at;
    }
    return std::nullopt;
  }
  [[nodiscard]] const Step& at(size_t place) const { return back_[place]; }

  // Returns true if a call, or a store through an equal operand, may write the memory that `load` reads in
  // the loop.
  [[nodiscard]] bool may_write(const Step& load) const {
    return std::ranges::any_of(back_, [&](const Step& step) {
      bool same = step.address_inputs == load.address_inputs && step.scale == load.scale &&
                  step.displacement == load.displacement;
      return step.calls || (step.stores && same);
    });
  }

  // Returns the change of the access's address per iteration if the loop only adds constants to its
  // registers.
  [[nodiscard]] std::optional<int64_t> step_bytes() const {
    std::optional<int64_t> base = added_to(access().base), index = added_to(access().index);
    if (!base || !index) return std::nullopt;
    return *base + *index * access().scale;
  }

  // Returns the accesses of all steps with an operand that uses the access's registers.
  [[nodiscard]] std::vector<NearAccess> near() const {
    std::vector<NearAccess> found;
    std::set<std::pair<int64_t, uint16_t>> seen;
    for (const Step& step : back_) {
      if (step.bytes == 0 || step.address_inputs != access().address_inputs || step.scale != access().scale)
        continue;
      NearAccess one{step.displacement - access().displacement, step.bytes};
      if (seen.emplace(one.offset, one.bytes).second) found.push_back(one);
    }
    return found;
  }

 private:
  // Returns the constant added to a register per iteration; 0 for kNoRegister.
  [[nodiscard]] std::optional<int64_t> added_to(uint8_t number) const {
    int64_t sum = 0;
    for (const Step& step : back_) {
      if ((step.writes & bit_of(number)) == 0) continue;
      if (!step.adds_constant) return std::nullopt;
      sum += *step.adds_constant;
    }
    return sum;
  }

  std::vector<Step> back_;
  StepIterator first_;
};

// Traces registers back to the sources of their values.
class Search {
 public:
  explicit Search(const Loop& loop) : loop_(loop) {}

  // Classifies the address of an access at `place` in the loop; the least predictable register counts.
  AddressSource of_address(uint32_t registers, size_t place) {
    AddressSource worst = AddressSource::kFixed;
    for (uint32_t rest = registers; rest != 0; rest &= rest - 1)
      worst = std::max(worst, of_register(rest & (0 - rest), place));
    return worst;
  }

  // Returns true if the chased pointer passes through the access itself, not through another load.
  [[nodiscard]] bool goes_through_access() const { return through_access_; }

 private:
  AddressSource of_register(uint32_t one, size_t place) {
    constexpr size_t kFarthest = 16;
    constexpr int kMaxLooks = 1000;
    if (++looks_ > kMaxLooks) return AddressSource::kComputed;
    std::optional<size_t> writer = loop_.writer(one, place);
    if (!writer) return AddressSource::kFixed;
    const Step& step = loop_.at(*writer);
    if (auto before = std::ranges::find(path_, *writer, &Visit::place); before != path_.end()) {
      // The path has come around the loop to the same step, through a load or by arithmetic alone.
      if (loads_ == before->loads) return AddressSource::kCounted;
      auto is_access = [&](const Visit& visit) { return visit.place + 1 == loop_.size(); };
      through_access_ = through_access_ || std::any_of(before, path_.end(), is_access);
      // A value that another load outside this cycle finds in an element belongs to other memory.
      bool beside =
          std::any_of(path_.begin(), before, [&](const Visit& visit) { return loop_.at(visit.place).loads; });
      return beside ? AddressSource::kBesideChase : AddressSource::kChased;
    }
    if (path_.size() >= kFarthest) return AddressSource::kComputed;
    path_.push_back({*writer, loads_});
    AddressSource source = of_step(step, *writer);
    path_.pop_back();
    return source;
  }

  AddressSource of_step(const Step& step, size_t place) {
    if (step.calls) return AddressSource::kComputed;
    if (step.loads) {
      ++loads_;
      AddressSource of_load = of_address(step.address_inputs, place);
      --loads_;
      if (of_load >= AddressSource::kBesideChase) return of_load;
      if (of_load == AddressSource::kCounted) return AddressSource::kLoadedInOrder;
      if (of_load != AddressSource::kFixed || loop_.may_write(step)) return AddressSource::kLoaded;
    }
    AddressSource inputs = of_address(step.reads, place);
    if (step.copies || step.adds) return inputs;
    if (step.reads == 0) return AddressSource::kFixed;  // a constant
    return std::max(inputs, AddressSource::kComputed);
  }

  const Loop& loop_;
  struct Visit {
    size_t place;
    int loads;  // loads on the path before this step
  };
  std::vector<Visit> path_;
  int loads_ = 0;  // loads on the current path
  int looks_ = 0;
  bool through_access_ = false;
};

// Returns true if the value of register `number` at `place` was loaded from an element of a table, directly
// or as the start of further loads. Reads the code before `place` backwards, as if it were straight-line
// code.
bool comes_from_table(const std::vector<Step>& steps, StepIterator place, uint8_t number) {
  constexpr int kMaxSteps = 64, kMaxLoads = 4;
  uint32_t one = bit_of(number);
  int loads = 0;
  for (int i = 0; i < kMaxSteps && place != steps.begin() && one != 0; ++i) {
    const Step& step = *--place;
    if ((step.writes & one) == 0) continue;
    if (step.calls) return false;
    bool two_inputs = (step.reads & (step.reads - 1)) != 0;
    if (step.loads) {
      if (step.index != kNoRegister) return true;
      if (++loads > kMaxLoads) return false;
      one = bit_of(step.base);
    } else if (step.copies) {
      one = step.reads & (0 - step.reads);
    } else {
      return loads != 0 && step.adds && two_inputs;  // the address of a table's element
    }
  }
  return false;
}

// Returns true if the code after `place` replaces the pointer in register `number` by one that it points to.
bool follows_link(const std::vector<Step>& steps, StepIterator place, uint8_t number) {
  constexpr ptrdiff_t kMaxSteps = 64;
  for (auto step = place; step != steps.end() && step - place <= kMaxSteps; ++step) {
    if ((step->writes & bit_of(number)) == 0) continue;
    return step->loads && step->copies && step->base == number && step->index == kNoRegister;
  }
  return false;
}

// Covers the first element too, which the code may access before its loop over the others.
bool in_chain_of_table(const std::vector<Step>& steps, StepIterator access, const Loop& loop,
                       AddressSource source) {
  if (access->base == kNoRegister || access->index != kNoRegister) return false;
  if (source == AddressSource::kChased && comes_from_table(steps, loop.first(), access->base)) return true;
  return comes_from_table(steps, access, access->base) && follows_link(steps, access, access->base);
}

}  // namespace

bool loads_dispatch_table(Bytes code, uint64_t start, uint64_t address) {
  constexpr ptrdiff_t kMaxSteps = 48;
  std::vector<Step> steps = steps_of(code, start);
  auto access = std::ranges::lower_bound(steps, address, {}, &Step::address);
  if (access == steps.end() || access->address != address) return false;
  bool of_object = access->loads && access->copies && access->bytes == 8 && access->displacement == 0 &&
                   access->base != kNoRegister && access->index == kNoRegister;
  if (!of_object) return false;
  uint32_t table = access->writes, function = 0;
  for (auto step = access + 1; step != steps.end() && step - access <= kMaxSteps; ++step) {
    bool through_table = step->bytes == 8 && (bit_of(step->base) & table) != 0 && step->index == kNoRegister;
    bool leaves = step->calls || (!step->goes_on && step->jump_to == kNoTarget);
    if (leaves && (through_table || (step->reads & function) != 0)) return true;
    bool loads_function = through_table && step->loads && step->copies;
    function = loads_function ? function | step->writes : function & ~step->writes;
    table &= ~step->writes;
    if ((table | function) == 0) return false;
  }
  return false;
}

AddressFacts address_facts(Bytes code, uint64_t start, uint64_t address) {
  std::vector<Step> steps = steps_of(code, start);
  auto access = std::ranges::lower_bound(steps, address, {}, &Step::address);
  if (access == steps.end() || access->address != address) return {.source = AddressSource::kUnknown};
  if (access->repeats) return {AddressSource::kCounted, access->bytes, {{0, access->bytes}}};
  Loop loop(steps, access);
  if (!loop.found() || loop.access().address_inputs == 0)
    return {.source = AddressSource::kUnknown,
            .in_chain_of_table = in_chain_of_table(steps, access, loop, AddressSource::kUnknown)};
  Search search(loop);
  AddressSource source = search.of_address(loop.access().address_inputs, loop.size() - 1);
  // A node's members are at constant offsets from the node; an offset in another register leads to other
  // memory.
  bool is_elsewhere = loop.access().base != kNoRegister && loop.access().index != kNoRegister;
  if (source == AddressSource::kChased && is_elsewhere && !search.goes_through_access())
    source = AddressSource::kLoaded;
  bool steady = source == AddressSource::kCounted;
  return {source, steady ? loop.step_bytes() : std::nullopt, loop.near(),
          in_chain_of_table(steps, access, loop, source)};
}

}  // namespace hm::symbol
