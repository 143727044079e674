// SPDX-License-Identifier: MIT
// Makes random straight-line blocks of user-mode instructions, the same for the same seed. Uses all encodings
// of the decoder, except those without a reproducible result.
#pragma once

#include <cstdint>
#include <vector>

namespace hm::direct_test {

struct Block {
  uint64_t seed;  // of the initial state
  std::vector<uint8_t> code;
  struct Extension {
    uint32_t offset;
    uint32_t feature;  // of decode/features.h
  };
  std::vector<Extension> extensions;  // instructions that some processors lack
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed * 2654435761u + 88172645463325252u) {}

  // Returns a block of a few instructions, to be run at `address`.
  Block block(uint64_t address);

 private:
  uint64_t next();
  bool once_in(unsigned n) { return next() % n == 0; }
  uint8_t byte() { return static_cast<uint8_t>(next() >> 32); }

  std::vector<uint8_t> candidate();
  void prefixes(std::vector<uint8_t>& code);
  void legacy(std::vector<uint8_t>& code);
  void vex(std::vector<uint8_t>& code);
  void evex(std::vector<uint8_t>& code);
  void operands(std::vector<uint8_t>& code);
  bool append(Block& block, uint64_t address);

  uint64_t random_;
};

}  // namespace hm::direct_test
