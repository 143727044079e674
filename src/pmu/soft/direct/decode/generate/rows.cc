// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/decode/generate/rows.h"

#include <initializer_list>

#include "pmu/soft/direct/decode/generate/limits.h"

namespace hm::soft::direct {
namespace {

constexpr uint8_t kRegisterForm = 0xc0;

bool has_modrm(const Instruction& instruction) { return instruction.modrm_offset != 0; }
bool in_memory(const Instruction& instruction) {
  return has_modrm(instruction) && instruction.modrm < kRegisterForm;
}

// Returns the first valid setting of the other fields. Tries vvvv unused or with a register of its own, with
// and without a mask register, and with and without a SIB byte in memory. Uses different registers if needed.
std::optional<Probe> first_valid(const Prober& prober, Probe probe) {
  bool memory = probe.modrm < kRegisterForm;
  if (!prober.is_opcode(probe) && !(memory && prober.is_opcode(with_sib(probe)))) return std::nullopt;
  bool legacy = probe.encoding == Encoding::kLegacy;
  bool same = !memory && !legacy && (probe.modrm >> 3 & 7) == (probe.modrm & 7);
  for (uint8_t vvvv : std::initializer_list<uint8_t>{0, 3, 6, 1}) {
    for (unsigned choice = 0; choice < 8; ++choice) {
      bool sib = (choice & 1) != 0;
      bool mask = (choice & 2) != 0;
      bool r = (choice & 4) != 0;
      bool senseless = (sib && !memory) || (mask && probe.encoding != Encoding::kEvex) || (r && !same) ||
                       (vvvv != 0 && legacy);
      if (senseless) continue;
      Probe trial = sib ? with_sib(probe) : probe;
      trial.mask_form = mask;
      trial.vvvv = vvvv;
      trial.r = r;
      if (prober.is_valid(trial)) return trial;
    }
  }
  return std::nullopt;
}

void fill_fields(const Described& described, Row& row) {
  for (unsigned i = 0; i < kRowFields; ++i) {
    const RegisterField& field = described.instruction.fields[i];
    if (field.number == kNoRegister) continue;
    row.fields[i] = {true, field.read, field.written, described.byte_register[i]};
    row.rare_fields |= i == static_cast<unsigned>(Field::kVvvv) || i == static_cast<unsigned>(Field::kOpcode);
    row.byte_fields |= described.byte_register[i];
  }
}

// If there are two accesses of kind kOther, the second has an implicit address.
bool names_address(const Instruction& instruction, const Access& access) {
  if (!in_memory(instruction)) return false;
  switch (access.kind) {
    case AccessKind::kOperand:
    case AccessKind::kBitString:
    case AccessKind::kGather:
    case AccessKind::kScatter:
    case AccessKind::kState:
    case AccessKind::kPrefetch:
    case AccessKind::kFlush:
      return true;
    default:
      return access.kind == AccessKind::kOther && instruction.access_count == 1;
  }
}

AccessRow access_row(const Prober& prober, const Probe& probe, const Described& described, unsigned which) {
  const Access& access = described.instruction.accesses[which];
  AccessRow row{};
  row.bytes = access.bytes;
  row.count = access.count;
  row.kind = access.kind;
  row.index_bytes = access.index_bytes;
  row.element_bytes = access.element_bytes;
  row.loads = access.loads;
  row.stores = access.stores;
  row.locked = access.locked;
  row.masked = access.masked && probe.mask_form == 0;
  row.broadcast = access.broadcast;
  row.by_modrm = names_address(described.instruction, access);
  row.on_stack = access.kind == AccessKind::kPush || access.kind == AccessKind::kPop;
  row.segmented = takes_segment(prober, probe, which);
  row.base = kNoRegister;
  if (row.by_modrm) return row;
  bool named = access.base != kNoRegister && access.base == described.instruction.field(Field::kReg).number;
  row.base = named ? kBaseInReg : access.base;
  if (access.kind != AccessKind::kAbsolute) row.below = static_cast<uint8_t>(-access.displacement);
  return row;
}

void fill_immediate(const Prober& prober, const Probe& probe, const Described& described, Row& row) {
  auto plain = prober.plain(probe);
  const auto& immediate = plain->raw.imm[0];
  row.immediate_bytes = described.instruction.immediate_bytes;
  row.relative = immediate.size != 0 && immediate.is_relative;
  row.sign_extends = immediate.size != 0 && (immediate.is_signed || immediate.is_relative);
}

}  // namespace

std::optional<Row> make_row(const Prober& prober, const Probe& opcode) {
  auto probe = first_valid(prober, opcode);
  if (!probe) return std::nullopt;
  auto described = prober.ask(*probe);
  if (!described) return std::nullopt;
  const Instruction& instruction = described->instruction;
  Row row{};
  row.fixed_read = described->fixed_read;
  row.fixed_written = described->fixed_written;
  row.flags_read = instruction.flags_read;
  row.flags_written = instruction.flags_written;
  fill_fields(*described, row);
  row.access_count = instruction.access_count;
  for (unsigned i = 0; i < instruction.access_count; ++i)
    row.accesses[i] = access_row(prober, *probe, *described, i);
  row.flow = instruction.flow;
  row.string_operation = instruction.string_operation;
  row.repeat = instruction.repeat;
  row.vector_state = instruction.uses_vector_state;
  row.simd = static_cast<uint8_t>(instruction.kind.simd) & 0xf;
  row.only_moves = instruction.kind.only_moves;
  row.operation = static_cast<uint8_t>(instruction.operation);
  row.vectors_read = described->vectors_read & 7;
  row.vectors_written = described->vectors_written & 7;
  row.cancels = described->cancels;
  row.always_register = in_memory(instruction) && instruction.field(Field::kRm).number != kNoRegister;
  fill_immediate(prober, *probe, *described, row);
  fill_limits(prober, *probe, *described, row);
  return row;
}

}  // namespace hm::soft::direct
