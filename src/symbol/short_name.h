// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hm::symbol {

/// The end of functions' names, from the start of a component on: "add" and "Book::add" are short for
/// "address::Book::add(int)". Parameters and template arguments are compared only if the short name has them.
/// Blanks, and the parts that source_name() removes, do not matter.
class ShortName {
 public:
  explicit ShortName(std::string_view wanted);

  [[nodiscard]] bool stands_for(std::string_view function) const;

 private:
  enum class Form { kBare, kWithParameters, kWithArguments };

  std::string text_;  // squeezed
  Form form_;
};

/// Returns true if ShortName(wanted) stands for the function.
[[nodiscard]] bool is_short_name(std::string_view wanted, std::string_view function);

}  // namespace hm::symbol
