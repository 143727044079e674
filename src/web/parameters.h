// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace hm::web {

// What a request asks for, by name, as text. Whoever reads asks for each by its name and kind; whether all
// were right, and all were asked for, is found at the end.
class Parameters {
 public:
  using Given = std::map<std::string, std::string>;

  explicit Parameters(const Given& given) : given_(given) {}

  // Empty text counts as not given.
  [[nodiscard]] std::optional<std::string> text(const std::string& name);
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise);
  [[nodiscard]] uint64_t number(const std::string& name, uint64_t otherwise, uint64_t most = UINT64_MAX);
  [[nodiscard]] double percent(const std::string& name, double otherwise);  // from 0 to 100
  [[nodiscard]] std::optional<uint32_t> id(const std::string& name);        // of a process or thread
  [[nodiscard]] bool flag(const std::string& name) { return number(name, 0, 1) != 0; }
  [[nodiscard]] std::vector<std::string> list(const std::string& name);  // with commas between

  // kInvalidArgument for the first that was wrong, or that nobody asked for.
  [[nodiscard]] Status check() const;

 private:
  const Given& given_;
  std::set<std::string> asked_;
  Status wrong_;
};

}  // namespace hm::web
