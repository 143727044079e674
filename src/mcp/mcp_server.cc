// SPDX-License-Identifier: MIT
#include "mcp/mcp_server.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <string_view>

#include "mcp/mcp_session.h"
#include "rpc/channel.h"
#include "rpc/lines.h"

namespace hm::mcp {
namespace {

void receive(Session& session, const rpc::Lines::Line& line) {
  if (line.too_long)
    session.refuse_long_message();
  else if (line.text.find_first_not_of(" \t\r") != std::string::npos)
    session.receive(line.text);
}

}  // namespace

Status serve(const ServerOptions& options) {
  Result<rpc::Channel> channel = rpc::Channel::take();
  if (!channel) return channel.error();
  std::atomic<bool> client_reads{true};
  std::error_code error;
  web::Recorder recorder(std::filesystem::read_symlink("/proc/self/exe", error), ".");
  Session session({.version = options.version,
                   .tools = all_tools(),
                   .recorder = recorder,
                   .send = [&](const std::string& message) {
                     if (client_reads) client_reads = channel->write(message + '\n');
                   }});
  rpc::Lines lines(rpc::kMaxMessageBytes);
  channel->serve(
      [&](std::string_view bytes) {
        lines.add(bytes);
        while (std::optional<rpc::Lines::Line> line = lines.next()) receive(session, *line);
      },
      [&] { return client_reads && !options.interrupted(); });
  // The last message need not end in a line feed.
  if (std::optional<rpc::Lines::Line> line = lines.rest()) receive(session, *line);
  return {};
}

}  // namespace hm::mcp
