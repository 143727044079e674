// SPDX-License-Identifier: MIT
// An encoding, given by its parts, that is written out as bytes and decoded with Zydis.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "pmu/soft/direct/decode/oracle/oracle.h"

namespace hm::soft::direct {

// Bits and numbers have the instruction's meaning: they are not inverted.
struct Probe {
  Encoding encoding = Encoding::kLegacy;
  uint8_t map = 0;
  uint8_t opcode = 0;
  uint8_t variant = 0;  // numbered as in row.h
  uint8_t pp = 0;       // EVEX only; for VEX, it is part of the variant
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
  uint8_t tail = 1;      // the byte after these parts; zeros follow
};

using ProbeBytes = std::array<uint8_t, 24>;

ProbeBytes bytes_of(const Probe& probe);

// Returns the probe with a SIB byte that names a base and an index for its memory operand.
Probe with_sib(Probe probe);

// Decodes probes with Zydis.
class Prober {
 public:
  [[nodiscard]] bool is_valid(const Probe& probe) const;
  [[nodiscard]] std::optional<Described> ask(const Probe& probe) const;
  // Returns true if the opcode exists, even if it is invalid with these registers.
  [[nodiscard]] bool is_opcode(const Probe& probe) const;
  // Returns Zydis's own result; nothing if the probe is no instruction.
  [[nodiscard]] std::optional<ZydisDecodedInstruction> plain(const Probe& probe) const;

 private:
  ZydisDecoder decoder_ = oracle_decoder();
};

}  // namespace hm::soft::direct
