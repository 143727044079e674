// SPDX-License-Identifier: MIT
#include "lsp/lsp_server.h"

#include <optional>

#include "lsp/lsp_session.h"
#include "lsp/notes.h"
#include "rpc/channel.h"
#include "rpc/frames.h"

namespace hm::lsp {

Result<int> serve(const ServerOptions& options) {
  constexpr size_t kMaxMessageBytes = size_t{16} << 20;  // they hold whole source files
  Result<rpc::Channel> channel = rpc::Channel::take();
  if (!channel) return channel.error();
  bool editor_reads = true;
  Session session({.version = options.version,
                   .recording = options.recording,
                   .read = [&](const std::string& path) { return read_notes(path, options.reading); },
                   .send =
                       [&](const std::string& message) {
                         if (editor_reads) editor_reads = channel->write(rpc::framed(message));
                       }});
  rpc::Frames frames(kMaxMessageBytes);
  channel->serve(
      [&](std::string_view bytes) {
        frames.add(bytes);
        while (!session.exit_status()) {
          std::optional<rpc::Frames::Frame> frame = frames.next();
          if (!frame) return;
          if (frame->too_long)
            session.refuse_long_message();
          else
            session.receive(frame->text);
        }
      },
      [&] {
        session.look();
        return editor_reads && !session.exit_status() && !frames.is_damaged() && !options.interrupted();
      });
  if (frames.is_damaged())
    return make_error(ErrorCode::kDamaged, "the editor sent a message without a valid Content-Length");
  return session.exit_status().value_or(0);
}

}  // namespace hm::lsp
