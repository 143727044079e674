// SPDX-License-Identifier: MIT
#include "web/parameters.h"

#include <charconv>
#include <sstream>

namespace hm::web {

std::optional<std::string> Parameters::text(const std::string& name) {
  asked_.insert(name);
  auto found = given_.find(name);
  if (found == given_.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

std::string Parameters::text(const std::string& name, const std::string& otherwise) {
  return text(name).value_or(otherwise);
}

uint64_t Parameters::number(const std::string& name, uint64_t otherwise, uint64_t most) {
  std::optional<std::string> words = text(name);
  if (!words) return otherwise;
  uint64_t number = 0;
  const char* end = words->data() + words->size();
  auto [rest, error] = std::from_chars(words->data(), end, number);
  if (error == std::errc() && rest == end && number <= most) return number;
  if (wrong_)
    wrong_ =
        make_error(ErrorCode::kInvalidArgument, "{} is not a number from 0 to {}: {}", name, most, *words);
  return otherwise;
}

double Parameters::percent(const std::string& name, double otherwise) {
  constexpr double kMost = 100;
  std::optional<std::string> words = text(name);
  if (!words) return otherwise;
  double number = 0;
  const char* end = words->data() + words->size();
  auto [rest, error] = std::from_chars(words->data(), end, number);
  if (error == std::errc() && rest == end && number >= 0 && number <= kMost) return number;
  if (wrong_)
    wrong_ = make_error(ErrorCode::kInvalidArgument, "{} is not a number from 0 to 100: {}", name, *words);
  return otherwise;
}

std::optional<uint32_t> Parameters::id(const std::string& name) {
  if (!text(name)) return std::nullopt;
  return static_cast<uint32_t>(number(name, 0, UINT32_MAX));
}

std::vector<std::string> Parameters::list(const std::string& name) {
  std::vector<std::string> parts;
  std::istringstream words(text(name, ""));
  for (std::string part; std::getline(words, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

Status Parameters::check() const {
  if (!wrong_) return wrong_;
  for (const auto& [name, value] : given_) {
    if (!asked_.contains(name))
      return make_error(ErrorCode::kInvalidArgument, "this request has no parameter {}", name);
  }
  return {};
}

}  // namespace hm::web
