// SPDX-License-Identifier: MIT
// Messages of JSON-RPC 2.0 (jsonrpc.org/specification), as text of one line.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"

namespace hm::rpc {

// Error codes of the specification.
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;

inline constexpr size_t kMaxMessageBytes = size_t{4} << 20;
inline constexpr size_t kMaxNesting = 64;  // of arrays and objects in a message

struct Message {
  enum class Kind { kRequest, kNotification, kResponse };
  Kind kind = Kind::kRequest;
  nlohmann::json id;  // a string or an integer; null for a notification
  std::string method;
  nlohmann::json params = nlohmann::json::object();  // an object
};

// A message that is not valid.
struct Refusal {
  nlohmann::json id;  // null if it is unknown
  int code = kInvalidRequest;
  std::string message;
};

using Decoded = std::variant<Message, Refusal>;

// Decodes a message, or the messages of a batch.
[[nodiscard]] std::vector<Decoded> decode(std::string_view text);

// `result` and `params` are JSON, which may have line feeds between its values.
[[nodiscard]] std::string response(const nlohmann::json& id, std::string_view result);
[[nodiscard]] std::string error(const Refusal& refusal);
[[nodiscard]] std::string notification(std::string_view method, std::string_view params);

// Returns JSON without the line feeds and the indentation between its values.
[[nodiscard]] std::string on_one_line(std::string_view json);

}  // namespace hm::rpc
