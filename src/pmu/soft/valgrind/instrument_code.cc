// SPDX-License-Identifier: GPL-2.0-or-later
// The instruction side: code lines, and events that count instruction classes.
#include "core_model.h"
#include "instrumenter.h"
#include "pmu/soft/direct/decode/instruction.h"
#include "threads.h"

namespace hm::soft::vg {

using event::EventId;

namespace {

bool is_bit_of_register(const direct::Instruction& instruction) {
  uint8_t opcode = instruction.opcode;
  bool bit = opcode == 0xa3 || opcode == 0xab || opcode == 0xb3 || opcode == 0xbb;
  return instruction.encoding == direct::Encoding::kLegacy && instruction.map == 1 && bit &&
         instruction.modrm >= 0xc0;
}

}  // namespace

void Instrumenter::begin_instruction(uint64_t address, uint32_t length) {
  instruction_ = Instruction{};
  instruction_.address = address;
  instruction_.length = length;
  direct::Instruction decoded;
  if (direct::decode(reinterpret_cast<const uint8_t*>(address), length, address, decoded)) {
    instruction_.kind = decoded.kind;
    instruction_.bit_of_register = is_bit_of_register(decoded);
  }
  fetch_lines(address, length);
  if (demand_.instructions) count_down(EventId::kInstrRetired, 1);
  if (demand_.uops) count_down(EventId::kUopRetired, 1);
  count_instruction_class();
  ++segment_.slots;
}

// Adds a check for each code line that the block first touches with this instruction.
void Instrumenter::fetch_lines(uint64_t address, uint32_t length) {
  if (!demand_.code) return;
  unsigned shift = g_core.machine.line_shift();
  uint64_t last = (address + (length == 0 ? 0 : length - 1)) >> shift;
  for (uint64_t line = address >> shift; line <= last; ++line) {
    if (line == current_line_) continue;
    current_line_ = line;
    Site site = site_here(SiteKind::kFetch);
    site.address = line << shift;
    site.page = code_page(site.address);
    if (line != address >> shift) ++site.ticks;  // the instruction's second line, after its first
    if (site.page != nullptr) ir_.site(site);
  }
}

void Instrumenter::count_instruction_class() {
  if (!demand_.simd) return;
  for (const SimdEvent& each : kSimdEvents) {
    if (each.simd == instruction_.kind.simd && g_counters.counted(each.id)) count_down(each.id, 1);
  }
}

void Instrumenter::end_instruction() {
  if (!demand_.uops) return;
  uint64_t more = further_uops(instruction_.kind, instruction_.loads, instruction_.stores);
  if (more != 0) count_down(EventId::kUopRetired, more);
}

}  // namespace hm::soft::vg
