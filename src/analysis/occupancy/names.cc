// SPDX-License-Identifier: MIT
#include "analysis/occupancy/names.h"

#include <fmt/format.h>

namespace hm::occupancy {

std::string_view command_of(std::string_view name) {
  size_t bracket = name.rfind(" [");
  if (bracket == std::string_view::npos || !name.ends_with(']')) return name;
  std::string_view number = name.substr(bracket + 2, name.size() - bracket - 3);
  bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number ? name.substr(0, bracket) : name;
}

std::string_view program_of(std::string_view command) {
  std::string_view first = command.substr(0, command.find(' '));
  return first.substr(first.rfind('/') + 1);
}

std::string short_name_of(std::string_view name) {
  std::string_view command = command_of(name);
  return fmt::format("{}{}", program_of(command), name.substr(command.size()));
}

}  // namespace hm::occupancy
