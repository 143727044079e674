// SPDX-License-Identifier: MIT
// What the samples' data addresses lie in: rows of Profile::objects, types and fields.
#pragma once

#include <cstdint>
#include <string>

#include "symbol/types/type_layout.h"

namespace hm::profile {

enum class ObjectKind : uint8_t {
  kUnknown,
  kGlobal,     // a variable with a symbol
  kSection,    // an object's loaded data that no symbol covers
  kStack,      // a thread's
  kHeapBlock,  // an allocation
  kFile,       // mapped by the program
  kAnonymous,  // memory that is no file's
  kShared,     // likewise, shared by processes
  kBreak,      // the memory behind the program's data that brk(2) moves: "[heap]"
  kVdso,       // code and data that the kernel maps into every process
  kKernel,
};

// Equal in all processes: a variable of one object is one row.
struct ObjectRow {
  ObjectKind kind = ObjectKind::kUnknown;
  uint32_t dso = 0;     // of a variable, a section, a file
  std::string name;     // of a variable or section; of a heap block, who allocated it
  uint64_t start = 0;   // of a variable: address in the object (symbol/files/dso.h)
  uint64_t size = 0;    // of a variable
  uint32_t thread = 0;  // of a stack: the first row of Profile::threads that it was seen with
};

struct TypeRow {
  uint32_t dso = 0;  // whose debug information describes it
  symbol::TypeLayout layout;
};

// A member at any depth of a type, or all of it.
struct FieldRow {
  uint32_t type = 0;        // index into Profile::types: the outermost one
  uint64_t offset = 0;      // in the type, of the byte accessed
  uint64_t size = 0;        // of the member
  std::string text;         // "orders[].lines[].price", "struct node.next"; "[unknown]"
  std::string path;         // in the type: ".lines[].price"; empty: all of it
  std::string member_type;  // of the member
};

}  // namespace hm::profile
