// SPDX-License-Identifier: MIT
// The members of a type, independent of the debug information.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::symbol {

struct TypeMember {
  std::string name;  // empty: anonymous; for a base class, the class name
  std::string type;
  uint64_t offset = 0;      // bytes
  uint64_t size = 0;        // bytes; for a bit field, of the bytes that contain its bits
  uint16_t bit_offset = 0;  // of a bit field, within its first byte
  uint16_t bits = 0;        // 0: not a bit field
  bool is_base = false;
};

struct TypeLayout {
  std::string name;  // "struct node" in C, "ns::node<int>" in C++
  uint64_t size = 0;
  bool is_union = false;
  std::vector<TypeMember> members;  // direct members, in order of declaration
};

// The innermost member at an offset.
struct TypeField {
  std::string indices;  // for an array type, "[]" for each dimension, with numbers on request
  std::string path;     // within an array element: ".lines[].price"; empty: the whole element
  std::string type;
  uint64_t offset = 0;  // offset of the requested byte within an array element
  uint64_t size = 0;    // of the member; 0: unknown
};

}  // namespace hm::symbol
