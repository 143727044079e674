// SPDX-License-Identifier: MIT
#include "rpc/rpc_message.h"

#include <fmt/format.h>

#include <algorithm>

namespace hm::rpc {
namespace {

using Value = nlohmann::json;

// Returns the depth of arrays and objects. The text need not be valid JSON.
size_t nesting(std::string_view text) {
  size_t depth = 0, max = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char byte = text[i];
    if (byte == '"') in_string = !in_string;
    if (in_string) {
      if (byte == '\\') ++i;
      continue;
    }
    if (byte == '[' || byte == '{') max = std::max(max, ++depth);
    if ((byte == ']' || byte == '}') && depth > 0) --depth;
  }
  return max;
}

bool is_id(const Value& value) { return value.is_string() || value.is_number_integer(); }

Decoded decode_one(Value& value) {
  if (!value.is_object()) return Refusal{{}, kInvalidRequest, "a message must be a JSON object"};
  Value id = value.contains("id") && is_id(value["id"]) ? value["id"] : Value();
  if (value.value("jsonrpc", Value()) != "2.0")
    return Refusal{id, kInvalidRequest, "the member `jsonrpc` must be \"2.0\""};
  if (value.contains("id") && id.is_null() && !value["id"].is_null())
    return Refusal{id, kInvalidRequest, "the member `id` must be a string or an integer"};
  bool is_response = value.contains("result") || value.contains("error");
  if (is_response) return Message{Message::Kind::kResponse, id, "", {}};
  if (value.contains("id") && id.is_null())
    return Refusal{id, kInvalidRequest, "the member `id` must not be null"};
  if (!value.contains("method") || !value["method"].is_string())
    return Refusal{id, kInvalidRequest, "the member `method` must be a string"};
  Message message{id.is_null() ? Message::Kind::kNotification : Message::Kind::kRequest, id,
                  value["method"].get<std::string>()};
  if (!value.contains("params") || value["params"].is_null()) return message;
  if (!value["params"].is_object())
    return Refusal{id, kInvalidParams, "the member `params` must be an object"};
  message.params = std::move(value["params"]);
  return message;
}

}  // namespace

std::vector<Decoded> decode(std::string_view text) {
  if (nesting(text) > kMaxNesting)
    return {
        Refusal{{}, kParseError, fmt::format("the message is nested deeper than {} levels", kMaxNesting)}};
  Value value = parse_json(text);
  if (value.is_discarded()) return {Refusal{{}, kParseError, "the message is not valid JSON in UTF-8"}};
  if (!value.is_array()) return {decode_one(value)};
  if (value.empty()) return {Refusal{{}, kInvalidRequest, "a batch must not be empty"}};
  std::vector<Decoded> messages;
  for (Value& each : value) messages.push_back(decode_one(each));
  return messages;
}

std::string response(const nlohmann::json& id, std::string_view result) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", json_line(id), on_one_line(result));
}

std::string error(const Refusal& refusal) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{{"code":{},"message":{}}}}})",
                     json_line(refusal.id), refusal.code, json_line(refusal.message));
}

std::string notification(std::string_view method, std::string_view params) {
  return fmt::format(R"({{"jsonrpc":"2.0","method":{},"params":{}}})", json_line(method),
                     on_one_line(params));
}

std::string on_one_line(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  // Strings have no line feeds: JSON writes them as escape sequences.
  for (size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '\n')
      while (i + 1 < json.size() && (json[i + 1] == ' ' || json[i + 1] == '\n')) ++i;
    else
      out.push_back(json[i]);
  }
  return out;
}

}  // namespace hm::rpc
