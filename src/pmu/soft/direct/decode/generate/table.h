// SPDX-License-Identifier: MIT
// The table as row.h lays it out, with everything equal held once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pmu/soft/direct/decode/row.h"

namespace hm::soft::direct {

// The rows of an opcode under one variant: by reg in memory, by reg and rm as registers.
struct Choices {
  bool has_modrm = false;
  std::array<uint16_t, 8> memory{};
  std::array<uint16_t, 64> registers{};
};

class Table {
 public:
  Table();
  // The number of the row; of nothing, 0.
  uint16_t add_row(const std::optional<Row>& row);
  void set(unsigned slot, unsigned variant, const Choices& choices);
  // A C++ source file that defines what row.h declares.
  [[nodiscard]] std::string source();

 private:
  uint16_t add_list(const Choices& choices);

  std::map<std::string, uint16_t> row_numbers_;  // by what defines the row
  std::vector<std::string> rows_;
  std::map<std::vector<uint16_t>, uint16_t> list_offsets_;
  std::vector<uint16_t> entries_;
  std::vector<std::array<uint16_t, kVariants>>
      slots_;  // offsets of lists, before equal ones become one block
};

}  // namespace hm::soft::direct
