// SPDX-License-Identifier: MIT
// Copies of code that may change without a write fault first compare their source with the copied bytes. This
// concerns code that is written through another mapping of its memory, or so often that write faults would
// cost more.
#include "pmu/soft/direct/translate/translator.h"

namespace hm::soft::direct {
namespace {

constexpr uint8_t kCompare64 = 0x39, kCompareConstant = 0x81, kCompareConstant8 = 0x80;
constexpr Reg kExtension = static_cast<Reg>(7);  // cmp, among the operations of these opcodes
constexpr uint8_t kOperandSize = 0x66;

template <typename T>
T value_at(uint64_t address) {
  T value;
  __builtin_memcpy(&value, reinterpret_cast<const void*>(address), sizeof(value));
  return value;
}

// Returns the size of the largest aligned operand at `address` with at most `bytes` bytes.
uint32_t aligned_width(uint64_t address, uint32_t bytes) {
  uint32_t width = sizeof(uint64_t);
  while (width > bytes || address % width != 0) width /= 2;
  return width;
}

}  // namespace

void Translator::check_source(const Superblock& source) {
  bool flags_live = source.steps[0].flags_live;
  if (flags_live) save_flags(hot_);
  for (unsigned i = 0; i < source.count;) {
    uint64_t begin = source.steps[i].address, end = begin;
    for (; i < source.count && source.steps[i].address == end; ++i) end = source.steps[i].next();
    compare_source(begin, static_cast<uint32_t>(end - begin));
  }
  uint8_t* same = hot_.jump();
  for (unsigned i = 0; i < differs_count_; ++i) Emitter::land(differs_[i], hot_.here());
  if (flags_live) restore_flags(hot_);
  emit_constant(hot_, kR10, source_);
  hot_.store(in_core(offsetof(Core, context.ip)), kR10);
  leave(hot_, kExitStale);
  Emitter::land(same, hot_.here());
  if (flags_live) restore_flags(hot_);
}

// Emits jumps, recorded in differs_, that are taken if the bytes at `address` have changed. All operands are
// aligned, because the program may run with the alignment check flag.
void Translator::compare_source(uint64_t address, uint32_t bytes) {
  emit_constant(hot_, kR10, address);
  for (uint32_t at = 0; at < bytes;) {
    uint32_t width = aligned_width(address + at, bytes - at);
    compare_operand(address + at, width, Memory{kR10, kNoReg, 1, static_cast<int32_t>(at), false});
    differs_[differs_count_++] = hot_.jump_if(Condition::kNotEqual);
    at += width;
  }
}

// Compares `width` bytes of memory with their present value at `address`.
void Translator::compare_operand(uint64_t address, uint32_t width, Memory place) {
  if (width == sizeof(uint64_t)) {
    hot_.move(kR11, value_at<uint64_t>(address));
    return hot_.memory(true, kCompare64, kR11, place);
  }
  if (width == sizeof(uint16_t)) hot_.byte(kOperandSize);
  hot_.memory(false, width == 1 ? kCompareConstant8 : kCompareConstant, kExtension, place);
  if (width == sizeof(uint32_t)) hot_.word32(value_at<uint32_t>(address));
  if (width == sizeof(uint16_t)) hot_.word16(value_at<uint16_t>(address));
  if (width == 1) hot_.byte(value_at<uint8_t>(address));
}

}  // namespace hm::soft::direct
