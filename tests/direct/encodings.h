// SPDX-License-Identifier: MIT
// Makes random encodings of single instructions, the same for the same seed: legacy, VEX and EVEX, valid ones
// and others, with any prefixes, registers and operands. Does not use the engine's decoder.
#pragma once

#include <Zydis/Zydis.h>

#include <cstdint>
#include <vector>

#include "block_state.h"

namespace hm::direct_test {

// One instruction between trapping bytes, so that no branch leads to another block.
struct Encoding {
  BlockHeader header;
  std::vector<uint8_t> code;   // the whole block
  std::vector<uint8_t> bytes;  // the instruction
};

class EncodingGenerator {
 public:
  explicit EncodingGenerator(uint64_t seed);

  // Returns the next encoding, for a block that starts at `address`.
  Encoding next(uint64_t address);

 private:
  uint64_t random();
  uint8_t byte() { return static_cast<uint8_t>(random() >> 32); }
  uint64_t below(uint64_t end) { return (random() >> 8) % end; }
  bool once_in(unsigned n) { return below(n) == 0; }

  std::vector<uint8_t> candidate();
  void prefixes(std::vector<uint8_t>& code);
  void legacy(std::vector<uint8_t>& code);
  void vex(std::vector<uint8_t>& code);
  void evex(std::vector<uint8_t>& code);
  void operands(std::vector<uint8_t>& code);
  void address(std::vector<uint8_t>& code, uint8_t modrm);
  void place(std::vector<uint8_t>& code, const ZydisDecodedInstruction& instruction, uint64_t address);
  void complete(Encoding& encoding, const ZydisDecodedInstruction& instruction, uint64_t address);
  uint64_t branch_distance(unsigned length, unsigned bytes);

  ZydisDecoder decoder_;
  uint64_t random_;
};

}  // namespace hm::direct_test
