// SPDX-License-Identifier: MIT
// Data objects that contain the samples' data addresses: rows of Profile::objects, types and fields.
#pragma once

#include <cstdint>
#include <string>

#include "symbol/types/type_layout.h"

namespace hm::profile {

enum class ObjectKind : uint8_t {
  kUnknown,
  kGlobal,     // a variable with a symbol
  kSection,    // loaded data of an object file without a symbol
  kStack,      // a thread's stack
  kHeapBlock,  // an allocation
  kFile,       // a file mapped by the program
  kAnonymous,  // private memory without a file
  kShared,     // memory without a file, shared between processes
  kBreak,      // the heap after the program's data, grown by brk(2): "[heap]"
  kVdso,       // code and data that the kernel maps into every process
  kKernel,
};

// Rows are the same for all processes: a variable of one object file has one row.
struct ObjectRow {
  ObjectKind kind = ObjectKind::kUnknown;
  uint32_t dso = 0;     // object file of a variable or section, or a mapped file
  std::string name;     // of a variable or section; for a heap block, the function that allocated it
  uint64_t start = 0;   // address of a variable in its object file (symbol/files/dso.h)
  uint64_t size = 0;    // size of a variable
  uint32_t thread = 0;  // for a stack: the first row of Profile::threads that used it
};

struct TypeRow {
  uint32_t dso = 0;  // the object file with the type's debug information
  symbol::TypeLayout layout;
};

// A member at any nesting depth of a type, or the whole type.
struct FieldRow {
  uint32_t type = 0;        // index into Profile::types: the outermost type
  uint64_t offset = 0;      // of the accessed byte, from the start of the type
  uint64_t size = 0;        // of the member
  std::string text;         // "orders[].lines[].price", "struct node.next"; "[unknown]"
  std::string path;         // within the type: ".lines[].price"; empty: the whole type
  std::string member_type;  // of the member
};

}  // namespace hm::profile
