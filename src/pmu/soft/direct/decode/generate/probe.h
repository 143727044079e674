// SPDX-License-Identifier: MIT
// An encoding by its parts, written out as bytes to ask Zydis of.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "pmu/soft/direct/decode/oracle/oracle.h"

namespace hm::soft::direct {

// Bits and numbers are as the instruction means them, not inverted.
struct Probe {
  Encoding encoding = Encoding::kLegacy;
  uint8_t map = 0;
  uint8_t opcode = 0;
  uint8_t variant = 0;  // as row.h numbers them
  uint8_t pp = 0;       // EVEX alone: VEX has it in the variant
  uint8_t modrm = 0;
  bool has_sib = false;
  uint8_t sib = 0;
  uint8_t r = 0;
  uint8_t r2 = 0;
  uint8_t x = 0;
  uint8_t b = 0;
  uint8_t vvvv = 0;       // 0 to 31
  uint8_t mask_form = 0;  // bit 0: a mask register, bit 1: z
  bool lock = false;
  bool segment = false;  // FS
  uint8_t tail = 1;      // the byte after these; zeros follow
};

using ProbeBytes = std::array<uint8_t, 24>;

ProbeBytes bytes_of(const Probe& probe);

// The probe's memory operand with a SIB byte that names a base and an index.
Probe with_sib(Probe probe);

// Zydis, asked of probes.
class Prober {
 public:
  [[nodiscard]] bool is_valid(const Probe& probe) const;
  [[nodiscard]] std::optional<Described> ask(const Probe& probe) const;
  // Whether there is such an opcode, even if not with these registers.
  [[nodiscard]] bool is_opcode(const Probe& probe) const;
  // As Zydis puts it; nothing where it is no instruction.
  [[nodiscard]] std::optional<ZydisDecodedInstruction> plain(const Probe& probe) const;

 private:
  ZydisDecoder decoder_ = oracle_decoder();
};

}  // namespace hm::soft::direct
