// SPDX-License-Identifier: MIT
// A type's members, as plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::symbol {

struct TypeMember {
  std::string name;  // empty: anonymous; of a base class, its name
  std::string type;
  uint64_t offset = 0;      // bytes
  uint64_t size = 0;        // bytes; of a bit field, of those that its bits touch
  uint16_t bit_offset = 0;  // of a bit field: in its first byte
  uint16_t bits = 0;        // 0: no bit field
  bool is_base = false;
};

struct TypeLayout {
  std::string name;  // "struct node" in C, "ns::node<int>" in C++
  uint64_t size = 0;
  bool is_union = false;
  std::vector<TypeMember> members;  // of the type itself, not of its members; in order of declaration
};

// The innermost member at an offset.
struct TypeField {
  std::string indices;  // "[]" for each dimension where the type is an array; with numbers where asked for
  std::string path;     // in what the array holds: ".lines[].price"; empty: all of it
  std::string type;
  uint64_t offset = 0;  // of the byte asked for, in what the array holds
  uint64_t size = 0;    // of the member; 0: not known
};

}  // namespace hm::symbol
