// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/decode/head.h"
#include "pmu/soft/direct/decode/instruction.h"
#include "pmu/soft/direct/decode/row.h"

namespace hm::soft::direct {
namespace {

constexpr size_t kLongest = 15;
constexpr uint8_t kRsp = 4;

// Fields of ModRM, combined with the prefixes' bits.
struct Operands {
  unsigned reg = 0;  // 0 to 31
  unsigned rm = 0;   // 0 to 31, as a register
  bool in_memory = false;
  Access address;  // valid if in_memory: base, index, scale, displacement, rip_relative
};

// Reads the next 1 to 8 bytes into the upper end of a word.
uint64_t take_number(Cursor& cursor, unsigned bytes) {
  uint64_t word = 0;
  if (cursor.readable - cursor.at >= 8) {
    __builtin_memcpy(&word, cursor.at, 8);
    word <<= 64 - 8 * bytes;
  } else {
    for (unsigned i = 0; i < bytes; ++i) word = word >> 8 | uint64_t{cursor.at[i]} << 56;
  }
  cursor.at += bytes;
  return word;
}

uint64_t take_unsigned(Cursor& cursor, unsigned bytes) {
  return take_number(cursor, bytes) >> (64 - 8 * bytes);
}

uint64_t take_signed(Cursor& cursor, unsigned bytes) {
  return static_cast<uint64_t>(static_cast<int64_t>(take_number(cursor, bytes)) >> (64 - 8 * bytes));
}

// Returns the row of the opcode. Reads the ModRM byte if the opcode has one. Returns null if the bytes end.
const Row* find_row(Cursor& cursor, const Head& head, Instruction& out) {
  const uint16_t* list = kEntries + kBlocks[kDirectory[head.slot] * kVariants + head.variant];
  const Choice choice = __builtin_bit_cast(Choice, list[0]);
  if (choice.has_modrm) {
    if (!cursor.has(1)) return nullptr;
    out.modrm_offset = cursor.offset();
    out.modrm = *cursor.at++;
  }
  unsigned of_register = choice.register_start + ((out.modrm & choice.register_mask) >> choice.shift);
  unsigned of_memory = (out.modrm >> 3) & choice.memory_mask;
  return kRows + list[1 + (out.modrm >= 0xc0 ? of_register : of_memory)];
}

// Reads base, index and scale from SIB. Returns the base's three bits, which may mean "none".
unsigned read_sib(Cursor& cursor, const Head& head, const Row& row, Operands& operands, Instruction& out) {
  out.sib_offset = cursor.offset();
  uint8_t sib = *cursor.at++;
  unsigned index = ((sib >> 3) & 7u) | head.x << 3;
  if (row.vector_index) index |= head.vvvv & 16u;
  if (row.vector_index || index != kRsp) {
    operands.address.index = static_cast<uint8_t>(index);
    operands.address.scale = static_cast<uint8_t>(1u << (sib >> 6));
  }
  operands.address.base = static_cast<uint8_t>((sib & 7) | head.b << 3);
  return sib & 7;
}

bool read_displacement(Cursor& cursor, unsigned bytes, unsigned shift, Operands& operands, Instruction& out) {
  if (bytes == 0) return true;
  if (!cursor.has(bytes)) return false;
  out.displacement_offset = cursor.offset();
  out.displacement_bytes = static_cast<uint8_t>(bytes);
  uint64_t value = take_signed(cursor, bytes);
  operands.address.displacement = static_cast<int64_t>(value << (bytes == 1 ? shift : 0));
  return true;
}

// Reads the address that ModRM names; Intel SDM volume 2, tables 2-2 and 2-3.
bool read_address(Cursor& cursor, const Head& head, const Row& row, Operands& operands, Instruction& out) {
  unsigned mod = out.modrm >> 6;
  unsigned low = out.modrm & 7;
  operands.address.base = static_cast<uint8_t>(low | head.b << 3);
  bool has_sib = low == 4;
  if (has_sib) {
    if (!cursor.has(1)) return false;
    low = read_sib(cursor, head, row, operands, out);
  } else if (row.needs_sib) {
    return false;
  }
  unsigned bytes = mod == 1 ? 1 : mod == 2 ? 4 : 0;
  if (mod == 0 && low == 5) {
    operands.address.base = kNoRegister;
    operands.address.rip_relative = !has_sib;
    if (!has_sib && !row.takes_rip) return false;
    bytes = 4;
  }
  return read_displacement(cursor, bytes, row.displacement_shift, operands, out);
}

bool read_operands(Cursor& cursor, const Head& head, const Row& row, Operands& operands, Instruction& out) {
  operands.reg = ((out.modrm >> 3) & 7u) | head.r << 3 | head.r2 << 4;
  unsigned fifth_bit = out.encoding == Encoding::kEvex ? head.x << 4 : 0;
  operands.rm = (out.modrm & 7u) | head.b << 3 | fifth_bit;
  operands.in_memory = out.modrm_offset != 0 && out.modrm < 0xc0 && !row.always_register;
  if (operands.in_memory) return read_address(cursor, head, row, operands, out);
  if (row.access_count == 0 || row.accesses[0].kind != AccessKind::kAbsolute) return true;
  return read_displacement(cursor, out.prefix_67 ? 4 : 8, 0, operands, out);
}

bool read_immediate(Cursor& cursor, const Row& row, Instruction& out) {
  unsigned bytes = row.immediate_bytes;
  if (bytes == 0) return true;
  if (!cursor.has(bytes)) return false;
  out.immediate_offset = cursor.offset();
  out.immediate_bytes = static_cast<uint8_t>(bytes);
  out.immediate = row.sign_extends ? take_signed(cursor, bytes) : take_unsigned(cursor, bytes);
  return true;
}

bool registers_differ(const Row& row, const Head& head, const Operands& operands) {
  uint8_t index = operands.address.index;
  auto must = [&](Difference which) { return (row.differences & which) != 0; };
  return !(must(kRegFromVvvv) && operands.reg == head.vvvv) &&
         !(must(kRegFromRm) && operands.reg == operands.rm) &&
         !(must(kVvvvFromRm) && head.vvvv == operands.rm) &&
         !(must(kRegFromIndex) && operands.reg == index) && !(must(kVvvvFromIndex) && head.vvvv == index);
}

// Returns true if the prefixes' bits are valid for the row. Combines the conditions bit by bit, because a
// branch for each costs more than all of them. Not inlined, like fill_registers(): otherwise g++ 12 runs out
// of registers, stores bytes and reads them back as words, which stalls.
[[gnu::noinline]] bool accepts(const Row& row, const Head& head, const Operands& operands,
                               const Instruction& out) {
  unsigned vvvv = row.vector_index ? head.vvvv & 15u : head.vvvv;
  unsigned in_memory = operands.in_memory;
  unsigned reg = unsigned{row.reg_extensions} >> (head.r2 << 1 | head.r);
  unsigned rm = unsigned{row.rm_extensions} >> (head.x << 1 | head.b) | in_memory;
  unsigned mask = unsigned{row.mask_forms} >> head.mask_form;
  unsigned lock = (out.prefix_lock ^ 1u) | (row.takes_lock & in_memory);
  unsigned all = reg & rm & mask & lock & (vvvv < row.vvvv_end ? 1u : 0u);
  return (all & 1) != 0 && (row.differences == 0 || registers_differ(row, head, operands));
}

// A field without a general register gets kNoRegister, and is neither read nor written.
void use(Instruction& out, Field which, unsigned number, bool named, bool read, bool written) {
  out.fields[static_cast<unsigned>(which)] = {named ? static_cast<uint8_t>(number) : kNoRegister, read,
                                              written};
  out.registers_read |= static_cast<uint16_t>(unsigned{read} << number);
  out.registers_written |= static_cast<uint16_t>(unsigned{written} << number);
}

// Returns the number of an 8-bit register. Without REX, 4 to 7 are the second bytes of 0 to 3.
unsigned byte_register(const FieldRow& row, unsigned number, Instruction& out) {
  bool high = row.byte && out.rex == 0 && out.encoding == Encoding::kLegacy && number >= 4;
  out.names_high_byte |= high;
  return high ? number - 4 : number;
}

inline void use_field(const Row& row, Field which, unsigned number, Instruction& out) {
  const FieldRow field = row.fields[static_cast<unsigned>(which)];
  number &= 15;
  if (row.byte_fields) number = byte_register(field, number, out);
  use(out, which, number, field.general, field.read, field.written);
}

void use_address(Instruction& out, Field which, uint8_t number) {
  bool named = number != kNoRegister;
  use(out, which, number & 15u, named, named, false);
}

[[gnu::noinline]] void fill_registers(const Row& row, const Head& head, const Operands& operands,
                                      Instruction& out) {
  out.registers_read = row.fixed_read;
  out.registers_written = row.fixed_written;
  out.registers_fixed = row.fixed_read | row.fixed_written;
  use_field(row, Field::kReg, operands.reg, out);
  use_field(row, Field::kRm, operands.rm, out);
  if (row.rare_fields) {
    use_field(row, Field::kVvvv, head.vvvv, out);
    use_field(row, Field::kOpcode, (out.opcode & 7u) | head.b << 3, out);
  }
  if (!operands.in_memory) return;
  use_address(out, Field::kBase, operands.address.base);
  use_address(out, Field::kIndex, row.vector_index ? kNoRegister : operands.address.index);
}

void fill_operation(const Row& row, const Head& head, const Operands& operands, Instruction& out) {
  const unsigned numbers[] = {operands.reg, operands.rm, head.vvvv};
  unsigned used = operands.in_memory ? 5 : 7;
  for (unsigned i = 0; i < 3; ++i) {
    unsigned read = row.vectors_read & used, written = row.vectors_written & used;
    out.vectors_read |= (read >> i & 1) << (numbers[i] & 31);
    out.vectors_written |= (written >> i & 1) << (numbers[i] & 31);
  }
  constexpr unsigned kMerges = 1;  // elements that the mask does not select keep their value
  if (head.mask_form == kMerges) out.vectors_read |= out.vectors_written;
  out.operation = static_cast<Operation>(row.operation);
  unsigned other = out.encoding == Encoding::kLegacy ? operands.reg : head.vvvv;
  out.gives_zero = row.cancels && out.modrm_offset != 0 && !operands.in_memory && other == operands.rm;
}

void fill_access(const AccessRow& row, const Head& head, const Operands& operands, const Instruction& out,
                 Access& access) {
  access = operands.address;
  if (!row.by_modrm) {
    access.base = row.base == kBaseInReg ? static_cast<uint8_t>(operands.reg) : row.base;
    access.index = kNoRegister;
    access.scale = 0;
    access.rip_relative = false;
    if (row.kind != AccessKind::kAbsolute) access.displacement = -int64_t{row.below};
  }
  access.kind = row.kind;
  access.bytes = row.bytes;
  access.count = row.count;
  access.index_bytes = row.index_bytes;
  access.element_bytes = row.element_bytes;
  access.loads = row.loads;
  access.stores = row.stores;
  access.locked = row.locked || out.prefix_lock;
  access.masked = row.masked || (head.mask_form & 1) != 0;
  access.broadcast = row.broadcast;
  access.address32 = out.prefix_67 && !row.on_stack;
  access.segment = row.segmented ? out.segment : Segment::kNone;
}

void fill_accesses(const Row& row, const Head& head, const Operands& operands, Instruction& out) {
  out.access_count = row.access_count;
  if (row.access_count == 0) return;
  fill_access(row.accesses[0], head, operands, out, out.accesses[0]);
  if (row.access_count == 1) return;
  fill_access(row.accesses[1], head, operands, out, out.accesses[1]);
  bool pops_to_stack = row.accesses[0].kind == AccessKind::kPop && operands.address.base == kRsp;
  if (pops_to_stack) out.accesses[1].displacement += row.accesses[0].bytes;  // rsp is raised first
}

void fill_flow_and_flags(const Row& row, uint64_t address, Instruction& out) {
  out.flow = row.flow;
  if (row.flow == Flow::kConditionalJump) out.condition = out.opcode & 0xf;
  if (row.relative) out.target = address + out.length + out.immediate;
  out.string_operation = row.string_operation;
  out.repeat = row.repeat;
  out.uses_vector_state = row.vector_state;
  out.kind = {branch_of(row.flow), static_cast<SimdClass>(row.simd), row.only_moves};
  out.flags_read = row.flags_read;
  bool shifts_by_nothing = row.count_mask != 0 && (out.immediate & row.count_mask) == 0;
  out.flags_written = shifts_by_nothing ? uint16_t{0} : row.flags_written;
}

// Replaces a rip-relative displacement by the absolute address. The displacement counts from the
// instruction's end.
void resolve_rip(uint64_t address, Operands& operands, const Instruction& out) {
  if (!operands.address.rip_relative) return;
  uint64_t absolute = address + out.length + static_cast<uint64_t>(operands.address.displacement);
  operands.address.displacement = static_cast<int64_t>(out.prefix_67 ? absolute & 0xffffffff : absolute);
}

bool enters_nested_frames(const Instruction& out) {
  return out.opcode == 0xc8 && out.map == 0 && (out.immediate >> 16 & 31) != 0;
}

}  // namespace

bool decode(const uint8_t* code, size_t available, uint64_t address, Instruction& out) {
  out = Instruction{};
  Cursor cursor{code, code, code + (available < kLongest ? available : kLongest), code + available};
  Head head;
  if (!read_head(cursor, head, out)) return false;
  const Row* row = find_row(cursor, head, out);
  if (row == nullptr) return false;
  Operands operands;
  if (!read_operands(cursor, head, *row, operands, out)) return false;
  if (!read_immediate(cursor, *row, out) || !accepts(*row, head, operands, out)) return false;
  out.length = cursor.offset();
  if (enters_nested_frames(out)) return false;
  resolve_rip(address, operands, out);
  fill_registers(*row, head, operands, out);
  fill_accesses(*row, head, operands, out);
  fill_operation(*row, head, operands, out);
  fill_flow_and_flags(*row, address, out);
  return true;
}

}  // namespace hm::soft::direct
