// SPDX-License-Identifier: MIT
#include "access_counts.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace hm::direct_test {
namespace {

struct Decoded {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  [[nodiscard]] std::span<const ZydisDecodedOperand> all() const {
    return {operands, instruction.operand_count};
  }
};

// Returns true if the instruction names an address, but neither loads nor stores there.
bool only_names_address(const ZydisDecodedInstruction& instruction) {
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_PREFETCH:
    case ZYDIS_CATEGORY_PREFETCHWT1:
    case ZYDIS_CATEGORY_CLWB:
    case ZYDIS_CATEGORY_CLDEMOTE:
    case ZYDIS_CATEGORY_CLFLUSHOPT:
      return true;
    default:
      return instruction.mnemonic == ZYDIS_MNEMONIC_CLFLUSH || instruction.meta.isa_ext == ZYDIS_ISA_EXT_MPX;
  }
}

// Returns the number of the first `count` elements of a vector register whose sign bit is set.
unsigned signs_of(const State& state, ZydisRegister vector, unsigned bytes, unsigned count) {
  const uint8_t* elements = state.vectors[ZydisRegisterGetId(vector)];
  unsigned signs = 0;
  for (unsigned i = 0; i < count; ++i) signs += elements[(i + 1) * bytes - 1] >> 7;
  return signs;
}

bool is_evex(const Decoded& it) { return it.instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX; }

// Returns the elements of the destination that the mask register enables.
unsigned mask_bits(const Decoded& it, const State& state, unsigned elements) {
  if (it.instruction.avx.mask.mode == ZYDIS_MASK_MODE_DISABLED) return elements;
  uint64_t mask = state.masks[ZydisRegisterGetId(it.instruction.avx.mask.reg)];
  if (elements < 64) mask &= (uint64_t{1} << elements) - 1;
  return static_cast<unsigned>(__builtin_popcountll(mask));
}

// Returns the number of elements that a gather or scatter accesses.
unsigned gathered(const Decoded& it, const ZydisDecodedOperand& memory, const State& state) {
  unsigned index_bytes = 4;
  std::string_view name = ZydisMnemonicGetString(it.instruction.mnemonic);
  name.remove_suffix(name.ends_with("pd") || name.ends_with("ps") ? 2 : 1);
  if (name.ends_with('q')) index_bytes = 8;
  unsigned element_bytes = memory.element_size / 8u;
  unsigned count = it.instruction.avx.vector_length / 8u / std::max(index_bytes, element_bytes);
  if (is_evex(it)) return mask_bits(it, state, count);
  return signs_of(state, it.operands[2].reg.value, element_bytes, count);
}

// Returns the number of iterations of a string instruction; 1 for other instructions.
uint64_t iterations(const Decoded& it, const State& before, const Result& after) {
  constexpr ZydisInstructionAttributes kRepeats =
      ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
  if ((it.instruction.attributes & kRepeats) == 0) return 1;
  uint64_t count = before.registers[1] - after.rcx;
  return it.instruction.address_width == 32 ? static_cast<uint32_t>(count) : count;
}

// Returns false if a mask in a vector register selects no element.
bool any_selected(const Decoded& it, const State& before) {
  switch (it.instruction.mnemonic) {
    case ZYDIS_MNEMONIC_VMASKMOVPS:
    case ZYDIS_MNEMONIC_VPMASKMOVD:
      return signs_of(before, it.operands[1].reg.value, 4, it.instruction.avx.vector_length / 32u) != 0;
    case ZYDIS_MNEMONIC_VMASKMOVPD:
    case ZYDIS_MNEMONIC_VPMASKMOVQ:
      return signs_of(before, it.operands[1].reg.value, 8, it.instruction.avx.vector_length / 64u) != 0;
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_VMASKMOVDQU:
      return signs_of(before, it.operands[1].reg.value, 1, 16) != 0;
    default:
      return true;
  }
}

bool is_uncertain(const Decoded& it, const State& before) {
  const ZydisDecodedInstruction& instruction = it.instruction;
  bool prefixed_branch = instruction.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE &&
                         (instruction.attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE) != 0;
  bool nested_enter = instruction.mnemonic == ZYDIS_MNEMONIC_ENTER && it.operands[1].imm.value.u % 32 != 0;
  bool truncated = instruction.address_width == 32 && instruction.raw.modrm.mod == 0 &&
                   instruction.raw.modrm.rm == 5 && instruction.meta.category == ZYDIS_CATEGORY_BITBYTE;
  bool mask_may_be_empty = is_evex(it) && mask_bits(it, before, 1) == 0;
  return prefixed_branch || nested_enter || truncated || mask_may_be_empty;
}

}  // namespace

std::optional<AccessCounts> count_accesses(const ZydisDecoder& decoder, const std::vector<uint8_t>& bytes,
                                           const State& before, const Result& after) {
  Decoded it;
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeFull(&decoder, bytes.data(), bytes.size(), &it.instruction, it.operands)))
    return std::nullopt;
  AccessCounts counts;
  if (only_names_address(it.instruction)) return counts;
  if (is_uncertain(it, before)) return std::nullopt;
  if (!any_selected(it, before)) return counts;
  uint64_t times = iterations(it, before, after);
  for (const ZydisDecodedOperand& operand : it.all()) {
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN) continue;
    uint64_t accesses = times;
    if (operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB) accesses = gathered(it, operand, before);
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) counts.loads += accesses;
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) counts.stores += accesses;
  }
  if (it.instruction.mnemonic == ZYDIS_MNEMONIC_CLZERO) counts.stores = 1;  // Zydis names no operand
  return counts;
}

}  // namespace hm::direct_test
