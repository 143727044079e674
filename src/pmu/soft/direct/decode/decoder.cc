// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/decode/head.h"
#include "pmu/soft/direct/decode/instruction.h"
#include "pmu/soft/direct/decode/row.h"

namespace hm::soft::direct {
namespace {

constexpr size_t kLongest = 15;
constexpr uint8_t kRsp = 4;

// ModRM taken apart, with the prefixes' bits.
struct Operands {
  uint8_t reg = 0;  // 0 to 31
  uint8_t rm = 0;   // 0 to 31, as a register
  bool in_memory = false;
  Access address;  // where in_memory: base, index, scale, displacement, rip_relative
};

uint64_t read_number(const uint8_t* from, unsigned bytes) {
  uint64_t number = 0;
  for (unsigned i = 0; i < bytes; ++i) number |= uint64_t{from[i]} << (8 * i);
  return number;
}

uint64_t sign_extend(uint64_t number, unsigned bytes) {
  unsigned unused = 64 - 8 * bytes;
  return static_cast<uint64_t>(static_cast<int64_t>(number << unused) >> unused);
}

// The row of the opcode and, where it has one, of the ModRM byte, which this reads. Null: the bytes end.
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

// SIB: base, index and scale. The base's three bits, which may mean "none", are returned.
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
  uint64_t value = sign_extend(read_number(cursor.at, bytes), bytes);
  operands.address.displacement = static_cast<int64_t>(value << (bytes == 1 ? shift : 0));
  cursor.at += bytes;
  return true;
}

// The address that ModRM names; Intel SDM volume 2, tables 2-2 and 2-3.
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
  operands.reg = static_cast<uint8_t>(((out.modrm >> 3) & 7) | head.r << 3 | head.r2 << 4);
  unsigned fifth_bit = out.encoding == Encoding::kEvex ? head.x << 4 : 0;
  operands.rm = static_cast<uint8_t>((out.modrm & 7) | head.b << 3 | fifth_bit);
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
  out.immediate = read_number(cursor.at, bytes);
  if (row.sign_extends) out.immediate = sign_extend(out.immediate, bytes);
  cursor.at += bytes;
  return true;
}

bool registers_differ(const Row& row, const Head& head, const Operands& operands) {
  uint8_t index = operands.address.index;
  return !(row.reg_not_vvvv && operands.reg == head.vvvv) &&
         !(row.reg_not_rm && !operands.in_memory && operands.reg == operands.rm) &&
         !(row.vvvv_not_rm && !operands.in_memory && head.vvvv == operands.rm) &&
         !(row.reg_not_index && operands.reg == index) && !(row.vvvv_not_index && head.vvvv == index);
}

// Whether the prefixes' bits are valid for the row.
bool accepts(const Row& row, const Head& head, const Operands& operands, const Instruction& out) {
  unsigned vvvv = row.vector_index ? head.vvvv & 15u : head.vvvv;
  unsigned r = head.r2 << 1 | head.r;
  unsigned xb = head.x << 1 | head.b;
  bool registers = (row.reg_extensions >> r & 1) != 0 &&
                   (operands.in_memory || (row.rm_extensions >> xb & 1) != 0) && vvvv < row.vvvv_end;
  bool prefixes = (row.mask_forms >> head.mask_form & 1) != 0 &&
                  (!out.prefix_lock || (row.takes_lock && operands.in_memory)) &&
                  (!out.prefix_67 || row.takes_address32);
  return registers && prefixes && registers_differ(row, head, operands);
}

void use(Instruction& out, Field which, uint8_t number, bool read, bool written) {
  RegisterField& field = out.fields[static_cast<unsigned>(which)];
  field = {number, read, written};
  out.registers_read |= static_cast<uint16_t>(unsigned{read} << number);
  out.registers_written |= static_cast<uint16_t>(unsigned{written} << number);
}

void use_row_field(const Row& row, Field which, unsigned number, Instruction& out) {
  const FieldRow field = row.fields[static_cast<unsigned>(which)];
  if (!field.general) return;
  number &= 15;
  bool high = field.byte && out.rex == 0 && out.encoding == Encoding::kLegacy && number >= 4;
  if (high) {
    out.names_high_byte = true;
    number -= 4;
  }
  use(out, which, static_cast<uint8_t>(number), field.read, field.written);
}

void fill_registers(const Row& row, const Head& head, const Operands& operands, Instruction& out) {
  out.registers_read = row.fixed_read;
  out.registers_written = row.fixed_written;
  out.registers_fixed = row.fixed_read | row.fixed_written;
  use_row_field(row, Field::kReg, operands.reg, out);
  use_row_field(row, Field::kRm, operands.rm, out);
  use_row_field(row, Field::kVvvv, head.vvvv, out);
  use_row_field(row, Field::kOpcode, (out.opcode & 7u) | head.b << 3, out);
  const Access& address = operands.address;
  if (address.base != kNoRegister) use(out, Field::kBase, address.base, true, false);
  if (address.index != kNoRegister && !row.vector_index) use(out, Field::kIndex, address.index, true, false);
}

void fill_access(const AccessRow& row, const Head& head, const Operands& operands, const Instruction& out,
                 Access& access) {
  access = operands.address;
  if (!row.by_modrm) {
    access.base = row.base == kBaseInReg ? operands.reg : row.base;
    access.index = kNoRegister;
    access.scale = 0;
    access.rip_relative = false;
    if (row.kind != AccessKind::kAbsolute) access.displacement = row.displacement;
  }
  access.kind = row.kind;
  access.bytes = row.bytes;
  access.count = row.count;
  access.index_bytes = row.index_bytes;
  access.loads = row.loads;
  access.stores = row.stores;
  access.locked = row.locked || out.prefix_lock;
  access.masked = row.masked || (head.mask_form & 1) != 0;
  access.broadcast = row.broadcast;
  access.address32 = out.prefix_67 && !row.on_stack;
  if (row.segmented) access.segment = out.segment;
}

void fill_accesses(const Row& row, const Head& head, const Operands& operands, Instruction& out) {
  out.access_count = row.access_count;
  for (unsigned i = 0; i < row.access_count; ++i)
    fill_access(row.accesses[i], head, operands, out, out.accesses[i]);
  bool pops_to_stack =
      row.access_count == 2 && row.accesses[0].kind == AccessKind::kPop && operands.address.base == kRsp;
  if (pops_to_stack) out.accesses[1].displacement += row.accesses[0].bytes;  // rsp is raised first
}

void fill_flow_and_flags(const Row& row, uint64_t address, Instruction& out) {
  out.flow = row.flow;
  if (row.flow == Flow::kConditionalJump) out.condition = out.opcode & 0xf;
  if (row.relative) out.target = address + out.length + out.immediate;
  out.string_operation = row.string_operation;
  out.repeat = row.repeat;
  out.uses_vector_state = row.vector_state;
  out.flags_read = row.flags_read;
  bool shifts_by_nothing = row.count_mask != 0 && (out.immediate & row.count_mask) == 0;
  out.flags_written = shifts_by_nothing ? uint16_t{0} : row.flags_written;
}

// A rip-relative address is told as itself: it counts from the instruction's end.
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
  Cursor cursor{code, code, code + (available < kLongest ? available : kLongest)};
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
  fill_flow_and_flags(*row, address, out);
  return true;
}

}  // namespace hm::soft::direct
