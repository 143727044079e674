// SPDX-License-Identifier: MIT
// Instructions that access memory element by element. Their vector and mask registers are written to the core
// before they run, and their accesses are computed from these. Encodings: Intel SDM volume 2.
#include "pmu/soft/direct/core/elements.h"
#include "pmu/soft/direct/runtime/give_up.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/translate/translator.h"

namespace hm::soft::direct {
namespace {

bool is_gathered(const Access& access) {
  return access.kind == AccessKind::kGather || access.kind == AccessKind::kScatter;
}

// Returns the register in vvvv of a VEX prefix, which is stored inverted.
uint8_t vex_mask_register(const Instruction& instruction, const uint8_t* code) {
  bool two_bytes = instruction.opcode_offset - instruction.prefix_offset == 2;
  return (~code[instruction.prefix_offset + (two_bytes ? 1 : 2)] >> 3) & 0xf;
}

uint8_t evex_mask_register(const Instruction& instruction, const uint8_t* code) {
  return code[instruction.prefix_offset + 3] & 7;
}

// Returns true for maskmovdqu. maskmovq has its mask in an MMX register, and is one access whatever the mask.
bool is_masked_by_bytes(const Access& access) {
  return access.masked && access.kind == AccessKind::kOther && access.bytes == 16;
}

uint8_t register_in_rm(const Instruction& instruction, const uint8_t* code) {
  bool two_bytes = instruction.opcode_offset - instruction.prefix_offset == 2;
  bool high = instruction.encoding == Encoding::kLegacy
                  ? (instruction.rex & 1) != 0
                  : !two_bytes && (code[instruction.prefix_offset + 1] & 0x20) == 0;
  return static_cast<uint8_t>((instruction.modrm & 7) | (high ? 8 : 0));
}

// VMASKMOVPS is 2C and 2E, VMASKMOVPD is 2D and 2F; VEX.W distinguishes VPMASKMOVD and VPMASKMOVQ.
uint32_t masked_element_bytes(const Instruction& instruction, const uint8_t* code) {
  bool wide = instruction.opcode >= 0x80 ? (code[instruction.prefix_offset + 2] & 0x80) != 0
                                         : (instruction.opcode & 1) != 0;
  return wide ? 8 : 4;
}

void absolute(Emitter& out, unsigned reg, uint64_t offset) {
  constexpr uint8_t kSib = 4, kNoBaseNorIndex = 0x25;
  out.code((reg & 7) << 3 | kSib, kNoBaseNorIndex);
  out.word32(static_cast<uint32_t>(offset));
}

constexpr uint8_t kGsPrefix = 0x65;

// Emits vmovdqu [gs:offset], ymm, or vmovdqu64 [gs:offset], zmm for registers that require EVEX.
void store_vector(Emitter& out, unsigned reg, bool evex, uint64_t offset) {
  constexpr uint8_t kStoreOpcode = 0x7f;
  if (evex) {
    uint8_t inverted = static_cast<uint8_t>((reg & 8 ? 0 : 0x80) | (reg & 16 ? 0 : 0x10));
    out.code(kGsPrefix, 0x62, inverted | 0x61, 0xfe, 0x48, kStoreOpcode);
  } else {
    out.code(kGsPrefix, 0xc5, reg & 8 ? 0x7e : 0xfe, kStoreOpcode);
  }
  absolute(out, reg, offset);
}

// Emits movdqu [gs:offset], xmm, which every processor has.
void store_short_vector(Emitter& out, unsigned reg, uint64_t offset) {
  out.code(kGsPrefix, 0xf3, reg & 8 ? 0x44 : 0x40, 0x0f, 0x7f);
  absolute(out, reg, offset);
}

// Emits kmovw [gs:offset], k, or kmovq if there are more elements.
void store_mask(Emitter& out, unsigned reg, uint32_t elements, uint64_t offset) {
  constexpr uint8_t kStoreOpcode = 0x91;
  if (elements <= 16) {
    out.code(kGsPrefix, 0xc5, 0xf8, kStoreOpcode);
  } else {
    out.code(kGsPrefix, 0xc4, 0xe1, 0xf8, kStoreOpcode);
  }
  absolute(out, reg, offset);
}

// Emits: r11 = the bits of mask register k for the elements. The status flags change.
void load_selection(Emitter& out, unsigned k, uint32_t elements) {
  constexpr uint8_t kKmovToR11 = 0x93, kModrm = 0xd8;
  if (elements <= 16) out.code(0xc5, 0x78);        // kmovw
  if (elements == 32) out.code(0xc5, 0x7b);        // kmovd
  if (elements == 64) out.code(0xc4, 0x61, 0xfb);  // kmovq
  out.code(kKmovToR11, kModrm | k);
  elements < 16 ? out.and32(kR11, (1u << elements) - 1) : out.test(kR11);
}

// Returns true for VEXPAND, VPEXPAND, VCOMPRESS, VPCOMPRESS: their elements in memory are contiguous.
bool is_packed(const Instruction& instruction) {
  constexpr uint8_t kMap38 = 2;
  if (instruction.map != kMap38) return false;
  return (instruction.opcode >= 0x88 && instruction.opcode <= 0x8b) || instruction.opcode == 0x62 ||
         instruction.opcode == 0x63;
}

}  // namespace

bool Translator::is_by_elements(const Access& each) const {
  bool of_vex = step_->instruction.encoding == Encoding::kVex && each.kind == AccessKind::kOperand;
  if (is_masked_by_bytes(each)) return true;
  return is_gathered(each) || (each.masked && (of_vex || each.element_bytes != 0));
}

// Emits code that writes the register with the mask to the core.
void Translator::store_selection(const Access& each, const ElementsPlan& plan) {
  constexpr uint64_t kMask = offsetof(Core, elements.mask);
  const Instruction& instruction = step_->instruction;
  const auto* code = reinterpret_cast<const uint8_t*>(step_->address);
  if (is_masked_by_bytes(each)) return store_short_vector(hot_, register_in_rm(instruction, code), kMask);
  plan.mask_register ? store_mask(hot_, evex_mask_register(instruction, code), plan.count, kMask)
                     : store_vector(hot_, vex_mask_register(instruction, code), false, kMask);
}

void Translator::elements(const Access& each, bool flags_live) {
  if (touches() && is_selected_in_place(each)) return touch_selected(each, flags_live);
  const Instruction& instruction = step_->instruction;
  const auto* code = reinterpret_cast<const uint8_t*>(step_->address);
  bool evex = instruction.encoding == Encoding::kEvex, gathered = is_gathered(each);
  bool by_bytes = is_masked_by_bytes(each);
  auto* plan = take<ElementsPlan>();
  if (plan == nullptr)
    do_without(LeaveReason::kNoMemory, "hardmeter: no memory for the tables of copied code\n");
  uint32_t bytes = gathered   ? each.bytes
                   : evex     ? each.element_bytes
                   : by_bytes ? 1
                              : masked_element_bytes(instruction, code);
  record::AccessKind kind = each.loads ? record::AccessKind::kLoad : record::AccessKind::kStore;
  *plan = {.ip = step_->address,
           .info = {bytes, kind, false},
           .count = gathered ? each.count : each.bytes / bytes,
           .index_bytes = gathered ? each.index_bytes : 0u,
           .scale = each.scale,
           .at_once = !gathered,
           .packed = evex && !gathered && is_packed(instruction),
           .mask_register = evex,
           .address32 = each.address32,
           .in_fs = each.segment == Segment::kFs,
           .flags_saved = flags_live};

  close_group();
  if (flags_live) save_flags(hot_);
  // The next store would fault on a processor without the feature, too.
  if (is_absent(*step_)) emit_invalid_opcode(hot_);
  if (gathered) store_vector(hot_, each.index, evex, offsetof(Core, elements.index));
  store_selection(each, *plan);
  Access base = each;
  base.segment = Segment::kNone;
  if (gathered) base.index = kNoReg;
  emit_address(hot_, kR10, prepare_operand(hot_, base));
  hot_.move(kR11, reinterpret_cast<uint64_t>(plan));
  hot_.store(in_core(offsetof(Core, elements.plan)), kR11);
  hot_.move(kR11, uint64_t{2u * progress_.slots});
  call_thunk(hot_, kElements);
  if (flags_live) restore_flags(hot_);
}

// Returns true if a mask register selects elements, and the mask does not change their addresses.
bool Translator::is_selected_in_place(const Access& each) const {
  const Instruction& instruction = step_->instruction;
  return instruction.encoding == Encoding::kEvex && !is_gathered(each) && !is_packed(instruction) &&
         !each.address32;
}

// The instruction has one access, from the first selected element to the last. Touches its first line inline:
// glibc's string functions use such instructions, and a call for each of them took a tenth of the time of
// some programs.
void Translator::touch_selected(const Access& each, bool flags_live) {
  const auto* code = reinterpret_cast<const uint8_t*>(step_->address);
  const Memory done = in_core(offsetof(Core, elements.done));
  if (flags_live) save_flags(hot_);
  if (is_absent(*step_)) emit_invalid_opcode(hot_);
  emit_data_address(hot_, each);
  load_selection(hot_, evex_mask_register(step_->instruction, code), each.bytes / each.element_bytes);
  uint8_t* none = hot_.jump_if(Condition::kEqual);
  hot_.lowest_bit(kR11, kR11);
  hot_.address(kR10, {kR10, kR11, each.element_bytes, 0, false});
  hot_.shift_right(kR10, static_cast<uint8_t>(plan_.line_shift));
  emit_touch(hot_);
  hot_.move(kR11, uint64_t{1});
  Emitter::land(none, hot_.here());
  hot_.store(done, kR11);
  if (flags_live) restore_flags(hot_);
}

// Emits code behind an instruction that counts its accesses.
void Translator::count_elements(const Access& each) {
  hot_.load(kR10, in_core(offsetof(Core, elements.done)));
  hot_.address(kR15, {kR15, kR10, 2, 0, false});
  if (touches()) return;
  Memory sum = in_core(each.loads ? offsetof(Core, loads) : offsetof(Core, stores));
  hot_.load(kR11, sum);
  hot_.address(kR11, {kR11, kR10, 1, 0, false});
  hot_.store(sum, kR11);
}

}  // namespace hm::soft::direct
