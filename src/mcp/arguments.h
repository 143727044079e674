// SPDX-License-Identifier: MIT
// Arguments of a tool: a table of them is their JSON schema, and checks the arguments of a call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace hm::mcp {

enum class Type { kText, kTexts, kCount, kCounts, kNumber, kFlag };

struct Argument {
  std::string_view name;
  Type type = Type::kText;
  std::string_view description;
  bool required = false;
  std::vector<std::string_view> words{};  // the accepted texts; empty: all
  double min = 0;                         // of kCount, kCounts and kNumber
  double max = 1e9;
};

// Returns a JSON schema of an object with these arguments as members, and no others.
[[nodiscard]] nlohmann::ordered_json schema_of(const std::vector<Argument>& arguments);

class Arguments {
 public:
  // Fails with kInvalidArgument for an unknown or missing argument, and for a value that does not match the
  // schema. Texts have no NUL.
  [[nodiscard]] static Result<Arguments> read(const nlohmann::json& given,
                                              const std::vector<Argument>& known);

  // These return the argument, or `otherwise` if it is not given.
  [[nodiscard]] std::optional<std::string> text(const std::string& name) const;
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;
  [[nodiscard]] uint64_t count(const std::string& name, uint64_t otherwise) const;
  [[nodiscard]] std::optional<uint32_t> id(const std::string& name) const;
  [[nodiscard]] double number(const std::string& name, double otherwise) const;
  [[nodiscard]] bool flag(const std::string& name) const;

  [[nodiscard]] bool has(const std::string& name) const { return given_.contains(name); }
  [[nodiscard]] const nlohmann::json& json() const { return given_; }

 private:
  explicit Arguments(nlohmann::json given) : given_(std::move(given)) {}

  nlohmann::json given_;  // an object
};

}  // namespace hm::mcp
