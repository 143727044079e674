// SPDX-License-Identifier: MIT
#include "symbol/library_files.h"

#include <algorithm>
#include <array>

namespace hm::symbol {

bool is_of_library(std::string_view file) {
  constexpr std::array<std::string_view, 9> kFolders{
      "/rust/deps/",   "/usr/include/",      "/usr/local/include/", "/usr/lib/", "/rustc/",
      "/usr/share/go", "/usr/local/go/src/", "/usr/lib/go",         "/opt/rust"};
  // Within installed tool chains, wherever these are.
  constexpr std::array<std::string_view, 5> kParts{"/include/c++/", "/lib/rustlib/src/", "/library/core/src/",
                                                   "/library/std/src/", "/.cargo/registry/"};
  return std::ranges::any_of(kFolders, [&](std::string_view folder) { return file.starts_with(folder); }) ||
         std::ranges::any_of(kParts, [&](std::string_view part) { return file.find(part) != file.npos; });
}

}  // namespace hm::symbol
