// SPDX-License-Identifier: MIT
// Function names as programmers write them, for tables and sentences. JSON and exports have the full names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hm::symbol {

// The parts of a name that are shown.
enum class NameDetail {
  kShort,       // no return type, parameters or template arguments
  kParameters,  // with parameters, if there are any; compiled code with more (symbol/compiled_names.h)
  kWhole,       // with template arguments; only the spelling is changed
  kRecorded,    // as in the symbol table or the map of a just-in-time compiler
};

// Returns the name as its language's users write it:
//   C++      "std::map<…>::operator[]", "run::{lambda#1}", and "std::string" for std::__cxx11::basic_string
//   Rust     "alloc::vec::Vec<…>::push", without the hash
//   Go       "main.(*List[…]).Push"
//   Java     "com.foo.Bar.method" for "Lcom/foo/Bar;::method" and "int com.foo.Bar.method(int)"
//   Node.js  "f file.js:12" for "JS:~f /path/file.js:12:3"
//   Python   "f (file.py)" for "py::f:/path/file.py"
// Returns names of other languages, and locations without a name ("[program+0x10]"), unchanged.
[[nodiscard]] std::string display_name(std::string_view function, NameDetail detail = NameDetail::kShort);

// Returns display names with the least detail that tells different functions of the list apart.
[[nodiscard]] std::vector<std::string> display_names(const std::vector<std::string>& functions);

// Returns true if `wanted` is one of the function's display names.
[[nodiscard]] bool is_display_name(std::string_view wanted, std::string_view function);

}  // namespace hm::symbol
