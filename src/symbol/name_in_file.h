// SPDX-License-Identifier: MIT
// Functions of one name in several source files: "FILE:NAME" and "NAME (FILE)".
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace hm::symbol {

struct NameInFile {
  std::string name, file;
};

// Splits "FILE:NAME" or "NAME (FILE)". Returns nullopt for other texts, among them C++ names with a scope,
// and names that end with parameters or a type.
[[nodiscard]] std::optional<NameInFile> name_in_file(std::string_view text);
// Returns "NAME (FILE)".
[[nodiscard]] std::string text_of(const NameInFile& function);

// Returns true if `path` is `wanted` or ends with it behind a slash.
[[nodiscard]] bool is_file(std::string_view path, std::string_view wanted);
// Returns the shortest end of `path`, in whole components, that no other path of the list has; at least the
// file's name.
[[nodiscard]] std::string short_file(std::string_view path, const std::set<std::string>& paths);

}  // namespace hm::symbol
