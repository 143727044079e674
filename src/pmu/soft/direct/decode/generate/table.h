// SPDX-License-Identifier: MIT
// Builds the decoder's table in the layout of row.h. Equal parts are stored once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pmu/soft/direct/decode/row.h"

namespace hm::soft::direct {

// The rows of an opcode under one variant: indexed by reg for a memory operand, by reg and rm for a register
// operand.
struct Choices {
  bool has_modrm = false;
  std::array<uint16_t, 8> memory{};
  std::array<uint16_t, 64> registers{};
};

class Table {
 public:
  Table();
  // Returns the row's number; 0 for no row.
  uint16_t add_row(const std::optional<Row>& row);
  void set(unsigned slot, unsigned variant, const Choices& choices);
  // Returns a C++ source file that defines the tables declared in row.h.
  [[nodiscard]] std::string source();

 private:
  uint16_t add_list(const Choices& choices);

  std::map<std::string, uint16_t> row_numbers_;  // indexed by the text that defines the row
  std::vector<std::string> rows_;
  std::map<std::vector<uint16_t>, uint16_t> list_offsets_;
  std::vector<uint16_t> entries_;
  std::vector<std::array<uint16_t, kVariants>>
      slots_;  // offsets of lists, before equal ones become one block
};

}  // namespace hm::soft::direct
