// SPDX-License-Identifier: MIT
// Recognizes containers of standard libraries, and language runtimes, by the names of functions and types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hm::cause {

enum class Container : uint8_t {
  kNone,
  kDense,           // elements side by side: std::vector, a flat hash table, a B-tree of C++
  kTree,            // std::map, std::set
  kHashChains,      // std::unordered_map, std::unordered_set
  kList,            // std::list, std::forward_list
  kSharedPointers,  // the count of a std::shared_ptr in a block of its own
  kSharedInPlace,   // the count of a std::shared_ptr beside its object
  kString,          // std::string
  kRustTree,        // BTreeMap, BTreeSet
  kRustList,        // LinkedList
  kRustShared,      // Rc, Arc
  kJavaObjects,     // java.util, java.lang.Integer
  kPythonObjects,   // any object in the interpreter
  kPythonGarbage,   // objects in the interpreter's garbage collector
  kNodeObjects,     // any object in V8's own code
  kScriptObjects,   // any object in JavaScript that V8 has compiled
  kGoObjects,       // any object in code of Go
  kAllocator,       // free blocks of the C library or another allocator
};

// Returns the name without template arguments, return type, parameters and inline namespaces:
// "std::_Rb_tree::_M_lower_bound".
[[nodiscard]] std::string path_of(std::string_view name);

// Returns the container that a function belongs to or a type is a part of; kNone if none is known.
[[nodiscard]] Container container_of(std::string_view name);

// Returns the runtime whose objects the code of a function handles; kNone if it is not known. `dso` is the
// file's name.
[[nodiscard]] Container runtime_of(std::string_view function, std::string_view dso);

// Returns true for functions of an allocator.
[[nodiscard]] bool is_allocator(std::string_view function);

// Returns true for functions that go from element to element of a tree, instead of looking one up.
[[nodiscard]] bool iterates(std::string_view name);

// Returns true for functions of languages' libraries, which containers call or are built of.
[[nodiscard]] bool is_of_library(std::string_view name);

}  // namespace hm::cause
