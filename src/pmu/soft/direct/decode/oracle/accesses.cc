// SPDX-License-Identifier: MIT
// Describes the accessed memory, and whether vector state is used.
#include <algorithm>
#include <string_view>

#include "pmu/soft/direct/decode/oracle/oracle.h"

namespace hm::soft::direct {
namespace {

constexpr uint8_t kRax = 0;
constexpr uint8_t kRsp = 4;

bool reads(const ZydisDecodedOperand& operand) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
}
bool writes(const ZydisDecodedOperand& operand) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
}

// Returns true for prefetches of one line. AVX-512 prefetches by elements only name their addresses.
bool is_prefetch(const ZydisDecodedInstruction& instruction) {
  bool of_line = instruction.meta.category == ZYDIS_CATEGORY_PREFETCH ||
                 instruction.meta.category == ZYDIS_CATEGORY_PREFETCHWT1;
  return of_line && instruction.meta.isa_set != ZYDIS_ISA_SET_AVX512PF_512;
}

// Returns true if the instruction removes a line from the caches.
bool is_flush(const ZydisDecodedInstruction& instruction) {
  return is_one_of(instruction, {ZYDIS_MNEMONIC_CLFLUSH, ZYDIS_MNEMONIC_CLFLUSHOPT});
}

// Returns true if the instruction names an address but does not access the data. It may write a line back, if
// the line stays in the caches.
bool only_names_address(const ZydisDecodedInstruction& instruction) {
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_CLWB:
    case ZYDIS_CATEGORY_CLDEMOTE:
      return true;
    default:
      return instruction.meta.isa_set == ZYDIS_ISA_SET_AVX512PF_512;
  }
}

bool is_xsave_family(const ZydisDecodedInstruction& instruction) {
  std::string_view name = ZydisMnemonicGetString(instruction.mnemonic);
  return name.starts_with("xsave") || name.starts_with("xrstor");
}

// xsave and xsaveopt read the first word of the area's header, whose other bits they keep; the compacting
// ones read nothing (Intel SDM volume 1, sections 13.7 to 13.11).
bool only_writes_state(const ZydisDecodedInstruction& instruction) {
  std::string_view name = ZydisMnemonicGetString(instruction.mnemonic);
  return name.starts_with("xsavec") || name.starts_with("xsaves");
}

bool is_state(const ZydisDecodedInstruction& instruction) {
  return is_xsave_family(instruction) ||
         is_one_of(instruction, {ZYDIS_MNEMONIC_FNSTENV, ZYDIS_MNEMONIC_FLDENV, ZYDIS_MNEMONIC_FNSAVE,
                                 ZYDIS_MNEMONIC_FRSTOR, ZYDIS_MNEMONIC_FXSAVE, ZYDIS_MNEMONIC_FXSAVE64,
                                 ZYDIS_MNEMONIC_FXRSTOR, ZYDIS_MNEMONIC_FXRSTOR64});
}

bool is_bit_string(const ZydisView& view) {
  return view.operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         is_one_of(view.instruction,
                   {ZYDIS_MNEMONIC_BT, ZYDIS_MNEMONIC_BTS, ZYDIS_MNEMONIC_BTR, ZYDIS_MNEMONIC_BTC});
}

bool is_tile(const ZydisDecodedInstruction& instruction) {
  return is_one_of(instruction,
                   {ZYDIS_MNEMONIC_TILELOADD, ZYDIS_MNEMONIC_TILELOADDT1, ZYDIS_MNEMONIC_TILESTORED});
}

AccessKind explicit_kind(const ZydisView& view, const ZydisDecodedOperand& operand) {
  if (operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB)
    return writes(operand) ? AccessKind::kScatter : AccessKind::kGather;
  if (is_state(view.instruction)) return AccessKind::kState;
  if (is_prefetch(view.instruction)) return AccessKind::kPrefetch;
  if (is_flush(view.instruction)) return AccessKind::kFlush;
  if (is_tile(view.instruction)) return AccessKind::kOther;
  return is_bit_string(view) ? AccessKind::kBitString : AccessKind::kOperand;
}

AccessKind implicit_kind(const ZydisView& view, const ZydisDecodedOperand& operand) {
  if (view.instruction.mnemonic == ZYDIS_MNEMONIC_XLAT) return AccessKind::kXlat;
  if (view.instruction.mnemonic == ZYDIS_MNEMONIC_LEAVE) return AccessKind::kPop;
  bool by_reg = view.instruction.meta.isa_set == ZYDIS_ISA_SET_MOVDIR ||
                view.instruction.meta.isa_set == ZYDIS_ISA_SET_ENQCMD;
  if (by_reg) return AccessKind::kOther;
  if (operand.mem.base == ZYDIS_REGISTER_RSP) return writes(operand) ? AccessKind::kPush : AccessKind::kPop;
  if (string_operation(view.instruction) == StringOperation::kNone) return AccessKind::kOther;
  return operand.mem.segment == ZYDIS_REGISTER_ES ? AccessKind::kStringDestination
                                                  : AccessKind::kStringSource;
}

AccessKind kind_of(const ZydisView& view, const ZydisDecodedOperand& operand) {
  if (operand.encoding == ZYDIS_OPERAND_ENCODING_MODRM_RM) return explicit_kind(view, operand);
  bool absolute = operand.mem.base == ZYDIS_REGISTER_NONE;
  return absolute ? AccessKind::kAbsolute : implicit_kind(view, operand);
}

bool is_masked(const ZydisView& view) {
  std::string_view name = ZydisMnemonicGetString(view.instruction.mnemonic);
  bool by_vector =
      name.find("maskmov") != std::string_view::npos || name.find("gather") != std::string_view::npos;
  auto mask = view.instruction.avx.mask;
  bool by_mask_register = view.instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX &&
                          mask.reg != ZYDIS_REGISTER_NONE && mask.reg != ZYDIS_REGISTER_K0;
  return by_vector || by_mask_register;
}

// Returns the element size if a mask prevents accesses to elements: Intel SDM volume 2, section 2.8,
// exception types that suppress faults. A broadcast reads one element for several.
uint8_t masked_element_bytes(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand& operand) {
  if (instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_EVEX ||
      instruction.avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID)
    return 0;
  switch (instruction.meta.exception_class) {
    case ZYDIS_EXCEPTION_CLASS_E1:
    case ZYDIS_EXCEPTION_CLASS_E2:
    case ZYDIS_EXCEPTION_CLASS_E3:
    case ZYDIS_EXCEPTION_CLASS_E4:
    case ZYDIS_EXCEPTION_CLASS_E5:
    case ZYDIS_EXCEPTION_CLASS_E6:
    case ZYDIS_EXCEPTION_CLASS_E10:
    case ZYDIS_EXCEPTION_CLASS_E11:
      return static_cast<uint8_t>(operand.element_size / 8);
    default:
      return 0;
  }
}

// The last letters of a gather's or scatter's name are the element's type; the index's type is before them.
void describe_elements(const ZydisDecodedInstruction& instruction, Access& access) {
  std::string_view name = ZydisMnemonicGetString(instruction.mnemonic);
  bool quad_data = name.ends_with("dq") || name.ends_with("qq") || name.ends_with("pd");
  std::string_view index =
      name.substr(0, name.size() - (name.ends_with("pd") || name.ends_with("ps") ? 2 : 1));
  access.bytes = quad_data ? 8 : 4;
  access.index_bytes = index.ends_with('q') ? 8 : 4;
  unsigned widest = std::max<unsigned>(access.bytes, access.index_bytes);
  access.count = static_cast<uint8_t>(instruction.avx.vector_length / 8u / widest);
}

void describe_address(const ZydisView& view, const ZydisDecodedOperand& operand, uint64_t address,
                      Access& access) {
  const auto& mem = operand.mem;
  access.base = general_register(mem.base);
  access.index = general_register(mem.index);
  if (access.kind == AccessKind::kGather || access.kind == AccessKind::kScatter)
    access.index = static_cast<uint8_t>(ZydisRegisterGetId(mem.index));
  access.scale = access.index == kNoRegister ? uint8_t{0} : mem.scale;
  access.displacement = mem.disp.has_displacement ? mem.disp.value : 0;
  if (mem.segment == ZYDIS_REGISTER_FS) access.segment = Segment::kFs;
  if (mem.segment == ZYDIS_REGISTER_GS) access.segment = Segment::kGs;
  bool stack = access.kind == AccessKind::kPush || access.kind == AccessKind::kPop;
  access.address32 = !stack && view.instruction.address_width == 32;
  access.rip_relative = mem.base == ZYDIS_REGISTER_RIP || mem.base == ZYDIS_REGISTER_EIP;
  if (access.rip_relative) access.displacement += static_cast<int64_t>(address + view.instruction.length);
  if (access.rip_relative && access.address32) access.displacement &= 0xffffffff;
  if (access.kind == AccessKind::kPush) access.displacement = -int64_t{access.bytes};
}

Access describe_access(const ZydisView& view, const ZydisDecodedOperand& operand, uint64_t address) {
  const ZydisDecodedInstruction& instruction = view.instruction;
  Access access;
  access.kind = kind_of(view, operand);
  access.bytes = operand.size / 8;
  if (is_xsave_family(instruction) || is_tile(instruction)) access.bytes = 0;
  if (operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB) describe_elements(instruction, access);
  if (access.kind == AccessKind::kOperand) access.element_bytes = masked_element_bytes(instruction, operand);
  describe_address(view, operand, address, access);
  if (access.kind == AccessKind::kPrefetch || access.kind == AccessKind::kFlush) {
    access.bytes = 1;
    return access;
  }
  access.loads = reads(operand) && !only_writes_state(instruction);
  access.stores = writes(operand);
  bool implicit_lock = instruction.mnemonic == ZYDIS_MNEMONIC_XCHG;
  access.locked = implicit_lock || (instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0;
  access.masked = is_masked(view);
  access.broadcast = instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX &&
                     instruction.avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID &&
                     !instruction.avx.broadcast.is_static;
  return access;
}

Access clzero_access(const ZydisDecodedInstruction& instruction) {
  Access access;
  access.kind = AccessKind::kOther;
  access.base = kRax;
  access.bytes = 64;
  access.stores = true;
  access.address32 = instruction.address_width == 32;
  return access;
}

bool is_accessed(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY &&
         (operand.mem.type == ZYDIS_MEMOP_TYPE_MEM || operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB);
}

bool is_vector_register(const ZydisDecodedOperand& operand) {
  if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) return false;
  ZydisRegisterClass kind = ZydisRegisterGetClass(operand.reg.value);
  return (kind >= ZYDIS_REGCLASS_X87 && kind <= ZYDIS_REGCLASS_ZMM) || kind == ZYDIS_REGCLASS_TMM ||
         kind == ZYDIS_REGCLASS_MASK || operand.reg.value == ZYDIS_REGISTER_MXCSR;
}

bool uses_vector_state(const ZydisView& view) {
  const auto& meta = view.instruction.meta;
  std::string_view extension = ZydisISAExtGetString(meta.isa_ext);
  return meta.isa_ext == ZYDIS_ISA_EXT_X87 || extension.starts_with("AMX") || is_state(view.instruction) ||
         is_one_of(view.instruction,
                   {ZYDIS_MNEMONIC_EMMS, ZYDIS_MNEMONIC_VZEROALL, ZYDIS_MNEMONIC_VZEROUPPER}) ||
         std::ranges::any_of(view.all(), is_vector_register);
}

}  // namespace

void describe_accesses(const ZydisView& view, uint64_t address, Instruction& out) {
  out.uses_vector_state = uses_vector_state(view);
  if (out.flow == Flow::kTrap || out.flow == Flow::kOther || only_names_address(view.instruction)) return;
  for (const ZydisDecodedOperand& operand : view.all()) {
    if (is_accessed(operand) && out.access_count < kMaxAccesses)
      out.accesses[out.access_count++] = describe_access(view, operand, address);
  }
  if (view.instruction.mnemonic == ZYDIS_MNEMONIC_CLZERO)
    out.accesses[out.access_count++] = clzero_access(view.instruction);
  if (out.access_count < 2) return;
  auto& [first, second] = out.accesses;
  if (first.stores && !second.stores) std::swap(first, second);  // loads come first
  bool pops_to_stack = first.kind == AccessKind::kPop && second.base == kRsp;
  if (pops_to_stack) second.displacement += first.bytes;
}

}  // namespace hm::soft::direct
