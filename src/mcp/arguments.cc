// SPDX-License-Identifier: MIT
#include "mcp/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hm::mcp {
namespace {

using Value = nlohmann::json;
using Schema = nlohmann::ordered_json;

bool is_list(Type type) { return type == Type::kTexts || type == Type::kCounts; }
bool is_text(Type type) { return type == Type::kText || type == Type::kTexts; }

// Returns the schema of the argument's value, or of one of its values.
Schema value_schema(const Argument& argument) {
  if (argument.type == Type::kFlag) return {{"type", "boolean"}};
  if (is_text(argument.type)) {
    Schema schema{{"type", "string"}};
    if (!argument.words.empty()) schema["enum"] = argument.words;
    return schema;
  }
  if (argument.type == Type::kNumber)
    return {{"type", "number"}, {"minimum", argument.min}, {"maximum", argument.max}};
  return {{"type", "integer"},
          {"minimum", static_cast<uint64_t>(argument.min)},
          {"maximum", static_cast<uint64_t>(argument.max)}};
}

bool is_valid_text(const Argument& argument, const Value& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  bool is_word = argument.words.empty() || std::ranges::find(argument.words, text) != argument.words.end();
  return is_word && text.find('\0') == std::string::npos;
}

bool is_valid_number(const Argument& argument, const Value& value) {
  bool is_number = argument.type == Type::kNumber ? value.is_number() : value.is_number_unsigned();
  return is_number && value.get<double>() >= argument.min && value.get<double>() <= argument.max;
}

bool is_valid_value(const Argument& argument, const Value& value) {
  if (argument.type == Type::kFlag) return value.is_boolean();
  return is_text(argument.type) ? is_valid_text(argument, value) : is_valid_number(argument, value);
}

bool is_valid(const Argument& argument, const Value& value) {
  if (!is_list(argument.type)) return is_valid_value(argument, value);
  return value.is_array() &&
         std::ranges::all_of(value, [&](const Value& each) { return is_valid_value(argument, each); });
}

// Returns what a value must be.
std::string kind_of(const Argument& argument) {
  if (argument.type == Type::kFlag) return "true or false";
  if (!argument.words.empty()) return fmt::format("one of {}", fmt::join(argument.words, ", "));
  if (argument.type == Type::kText) return "a text without NUL";
  if (argument.type == Type::kTexts) return "a list of texts without NUL";
  const char* kind = argument.type == Type::kNumber   ? "a number"
                     : argument.type == Type::kCounts ? "a list of whole numbers"
                                                      : "a whole number";
  return fmt::format("{} from {} to {:.0f}", kind, argument.min, argument.max);
}

Error wrong(const std::string& what) { return Error{ErrorCode::kInvalidArgument, what}; }

}  // namespace

Schema schema_of(const std::vector<Argument>& arguments) {
  Schema properties = Schema::object(), required = Schema::array();
  for (const Argument& each : arguments) {
    Schema schema = value_schema(each);
    if (is_list(each.type)) schema = {{"type", "array"}, {"items", std::move(schema)}};
    schema["description"] = each.description;
    properties[std::string(each.name)] = std::move(schema);
    if (each.required) required.push_back(each.name);
  }
  Schema schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

Result<Arguments> Arguments::read(const Value& given, const std::vector<Argument>& known) {
  if (!given.is_object()) return wrong("the arguments must be a JSON object");
  for (const auto& [name, value] : given.items()) {
    auto argument = std::ranges::find(known, name, &Argument::name);
    if (argument == known.end()) return wrong(fmt::format("unknown argument `{}`", name));
    if (!is_valid(*argument, value))
      return wrong(fmt::format("the argument `{}` must be {}", name, kind_of(*argument)));
  }
  for (const Argument& each : known) {
    if (each.required && !given.contains(each.name))
      return wrong(fmt::format("the argument `{}` is missing", each.name));
  }
  return Arguments(given);
}

std::optional<std::string> Arguments::text(const std::string& name) const {
  return has(name) ? std::optional(given_[name].get<std::string>()) : std::nullopt;
}

std::string Arguments::text(const std::string& name, const std::string& otherwise) const {
  return given_.value(name, otherwise);
}

std::vector<std::string> Arguments::texts(const std::string& name) const {
  return given_.value(name, std::vector<std::string>());
}

uint64_t Arguments::count(const std::string& name, uint64_t otherwise) const {
  return given_.value(name, otherwise);
}

std::optional<uint32_t> Arguments::id(const std::string& name) const {
  return has(name) ? std::optional(given_[name].get<uint32_t>()) : std::nullopt;
}

double Arguments::number(const std::string& name, double otherwise) const {
  return given_.value(name, otherwise);
}

bool Arguments::flag(const std::string& name) const { return given_.value(name, false); }

}  // namespace hm::mcp
