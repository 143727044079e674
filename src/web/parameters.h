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

// A request's parameters by name, as text. The reader gets each by name and type; check() reports invalid and
// unused parameters afterwards.
class Parameters {
 public:
  using Given = std::map<std::string, std::string>;

  explicit Parameters(const Given& given) : given_(given) {}

  // Treats empty text as missing.
  [[nodiscard]] std::optional<std::string> text(const std::string& name);
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise);
  [[nodiscard]] uint64_t number(const std::string& name, uint64_t otherwise, uint64_t most = UINT64_MAX);
  [[nodiscard]] double percent(const std::string& name, double otherwise);  // 0 to 100
  [[nodiscard]] std::optional<uint32_t> id(const std::string& name);        // process or thread ID
  [[nodiscard]] bool flag(const std::string& name) { return number(name, 0, 1) != 0; }
  [[nodiscard]] std::vector<std::string> list(const std::string& name);  // separated by commas

  // Fails with kInvalidArgument for the first parameter that is invalid or was never read.
  [[nodiscard]] Status check() const;

 private:
  const Given& given_;
  std::set<std::string> asked_;
  Status wrong_;
};

}  // namespace hm::web
