// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/core/elements.h"

#include "pmu/soft/direct/measure/call_outs.h"

namespace hm::soft::direct {
namespace {

int64_t index_of(const ElementOperands& operands, const ElementsPlan& plan, uint32_t i) {
  if (plan.index_bytes == sizeof(int64_t)) {
    int64_t index;
    __builtin_memcpy(&index, operands.index + i * sizeof(index), sizeof(index));
    return index;
  }
  int32_t index;
  __builtin_memcpy(&index, operands.index + i * sizeof(index), sizeof(index));
  return index;
}

uint64_t address_of(const Core& core, const ElementsPlan& plan, uint64_t base, uint32_t i) {
  uint64_t offset = plan.index_bytes == 0
                        ? uint64_t{i} * plan.info.bytes()
                        : static_cast<uint64_t>(index_of(core.elements, plan, i)) * plan.scale;
  uint64_t address = base + offset;
  if (plan.address32) address &= 0xffffffffu;
  return address + (plan.in_fs ? core.context.fs_base : 0);
}

// The elements from the first to the last; none if `count` is 0.
struct Span {
  uint32_t first, count;
};

// Returns a bit for each element that the mask selects.
uint64_t selected_elements(const ElementOperands& operands, const ElementsPlan& plan) {
  uint64_t selected = 0;
  if (plan.mask_register) {
    __builtin_memcpy(&selected, operands.mask, sizeof(selected));
    return selected & ~uint64_t{0} >> (64 - plan.count);
  }
  for (uint32_t i = 0; i < plan.count; ++i) {
    bool is_negative = (operands.mask[(i + 1) * plan.info.bytes() - 1] & 0x80) != 0;
    selected |= uint64_t{is_negative} << i;
  }
  return selected;
}

// Returns the elements that an instruction with a single access covers.
Span span_of(const ElementOperands& operands, const ElementsPlan& plan) {
  uint64_t mask = selected_elements(operands, plan);
  if (plan.packed || mask == 0) return {0, static_cast<uint32_t>(__builtin_popcountll(mask))};
  auto first = static_cast<uint32_t>(__builtin_ctzll(mask));
  return {first, 64 - static_cast<uint32_t>(__builtin_clzll(mask)) - first};
}

// Returns the number of accesses.
uint32_t access_at_once(Core& core, const ElementsPlan& plan, uint64_t base, Tick tick) {
  Span span = span_of(core.elements, plan);
  if (span.count == 0) return 0;
  AccessInfo info{plan.info.bytes() * span.count, plan.info.kind(), plan.info.locked()};
  whole_access(core, address_of(core, plan, base, span.first), info, tick, plan.ip);
  take_samples(core, plan.ip);
  return 1;
}

uint32_t access_one_by_one(Core& core, const ElementsPlan& plan, uint64_t base, Tick tick) {
  uint32_t done = 0;
  for (uint64_t left = selected_elements(core.elements, plan); left != 0; left &= left - 1) {
    auto i = static_cast<uint32_t>(__builtin_ctzll(left));
    whole_access(core, address_of(core, plan, base, i), plan.info, tick + 2 * done++, plan.ip);
    take_samples(core, plan.ip);
  }
  return done;
}

}  // namespace
}  // namespace hm::soft::direct

// `base` is the address without the index. Copied code counts the accesses behind the instruction, because an
// instruction that faults runs again.
extern "C" void hm_on_elements(hm::soft::direct::Core* core, uint64_t base, uint64_t tick) {
  using namespace hm::soft::direct;
  const ElementsPlan& plan = *core->elements.plan;
  if (plan.flags_saved) restore_saved_flags(*core);
  core->elements.done =
      plan.at_once ? access_at_once(*core, plan, base, tick) : access_one_by_one(*core, plan, base, tick);
}
