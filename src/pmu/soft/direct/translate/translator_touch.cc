// SPDX-License-Identifier: MIT
// Touching copies. Each access writes the tick to its line's entry in the touch table (core.h). Nothing is
// compared or called, so they cost hardly more than uninstrumented copies.
//
// Only the set of used lines and their approximate order matter. All accesses of a block have the tick of its
// beginning. An access across two lines touches only the first.
#include "pmu/soft/direct/translate/plain_address.h"
#include "pmu/soft/direct/translate/translator.h"

namespace hm::soft::direct {
namespace {

// Returns the table entry of a line. `offset` holds the line's number times the size of an entry.
Memory touch_place(Reg offset) { return in_core_at(offset, static_cast<int32_t>(kTouchTableOffset)); }

}  // namespace

bool Translator::is_covered(const Access& each) const {
  bool is_push = &each == &kPushOfReturnAddress;
  auto number = static_cast<unsigned>(&each - step_->instruction.accesses);
  return touch_plan_.is_covered(step_number_, is_push ? TouchPlan::kReturnAddress : number);
}

void Translator::touch(const Access& each, bool flags_live) {
  progress_.slots = static_cast<uint16_t>(progress_.slots + (each.loads ? 1 : 0) + (each.stores ? 1 : 0));
  // Prefetches and flushes change nothing between bursts. Moreover, a prefetch may use an invalid address,
  // for which the table has no entry.
  bool uses_line = each.kind != AccessKind::kPrefetch && each.kind != AccessKind::kFlush;
  if (!uses_line || is_covered(each)) return;
  bool shifts_flags =
      !plan_.has_shrx || each.segment != Segment::kNone || each.kind == AccessKind::kBitString;
  bool saves = flags_live && shifts_flags;
  if (saves) save_flags(hot_);
  uint32_t bytes = each.bytes == 0 ? plan_.line_bytes : each.bytes;
  for (uint32_t offset = 0; offset < bytes; offset += plan_.line_bytes)
    touch_line(each, offset, flags_live && !saves);
  if (saves) restore_flags(hot_);
}

// Touches the line `offset` bytes behind the access's address.
void Translator::touch_line(const Access& each, uint32_t offset, bool keeps_flags) {
  Operand operand = prepare_operand(hot_, each);
  if (operand.absolute && operand.segment == Segment::kNone) {
    emit_constant(hot_, kR10, ((operand.target + offset) >> plan_.line_shift) * sizeof(TouchStamp));
    return hot_.store32(touch_place(kR10), kR15);
  }
  emit_data_address(hot_, each);
  if (offset != 0) hot_.address(kR10, {kR10, kNoReg, 1, static_cast<int32_t>(offset), false});
  if (keeps_flags) {
    hot_.move(kR11, uint64_t{plan_.line_shift});
    hot_.code(0xc4, 0x42, 0xa3, 0xf7, 0xd2);  // shrx r10, r10, r11
  } else {
    hot_.shift_right(kR10, static_cast<uint8_t>(plan_.line_shift));
  }
  emit_touch(hot_);
}

void emit_touch(Emitter& out) { out.store32(in_core(kTouchTableOffset, kR10, sizeof(TouchStamp)), kR15); }

unsigned touch_bytes_at(const uint8_t* code) {
  uint8_t bytes[16];
  Emitter out(bytes);
  emit_touch(out);
  auto length = static_cast<unsigned>(out.here() - bytes);
  return __builtin_memcmp(code, bytes, length) == 0 ? length : 0;
}

// Touches the code line that runs from here on.
void Translator::touch_code_line(uint64_t line) {
  if (!plan_.touches_code) return;
  uint32_t page = program_.code_page_offset(line << plan_.line_shift);
  if (page == 0) return;  // more code than can be modelled
  auto index = static_cast<uint32_t>(line) & (plan_.lines_per_page - 1);
  hot_.store32(in_core(page + touched_offset(plan_.lines_per_page) + index * sizeof(TouchStamp)), kR15);
}

// Emits a jump that is taken if a burst begins or ends.
uint8_t* Translator::leave_to_switch(Emitter& out) {
  out.compare(kR15, in_core(offsetof(Core, switch_tick)));
  return out.jump_if(Condition::kAbove);
}

}  // namespace hm::soft::direct
