// SPDX-License-Identifier: MIT
// The input is what a client of `mcp` or `lsp` sends, in two pieces. Each answer to it is one line of valid
// JSON.
#include <algorithm>

#include "input.h"
#include "rpc/frames.h"
#include "rpc/lines.h"
#include "rpc/rpc_message.h"

namespace {

using namespace hm;

void require_line_of_json(const std::string& text) {
  fuzz::require(text.find('\n') == std::string::npos && !parse_json(text).is_discarded());
}

template <typename Piece>
void decode_piece(const Piece& line, size_t max_bytes) {
  fuzz::require(line.text.size() <= max_bytes && (!line.too_long || line.text.empty()));
  for (const rpc::Decoded& each : rpc::decode(line.text)) {
    if (const auto* refusal = std::get_if<rpc::Refusal>(&each)) {
      require_line_of_json(rpc::error(*refusal));
      continue;
    }
    const auto& message = std::get<rpc::Message>(each);
    fuzz::require(message.params.is_object() || message.kind == rpc::Message::Kind::kResponse);
    fuzz::require(message.kind != rpc::Message::Kind::kRequest || !message.id.is_null());
    require_line_of_json(rpc::response(message.id, "{}"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMaxBytes = 4096;
  rpc::Lines lines(kMaxBytes);
  rpc::Frames frames(kMaxBytes);
  std::string_view text = fuzz::text(data, size);
  for (std::string_view piece : {text.substr(0, size / 2), text.substr(size / 2)}) {
    lines.add(piece);
    while (std::optional<rpc::Lines::Line> line = lines.next()) decode_piece(*line, kMaxBytes);
    frames.add(piece);
    while (std::optional<rpc::Frames::Frame> frame = frames.next()) decode_piece(*frame, kMaxBytes);
    fuzz::require(!frames.is_damaged() || !frames.next());
  }
  if (std::optional<rpc::Lines::Line> line = lines.rest()) decode_piece(*line, kMaxBytes);
  return 0;
}
