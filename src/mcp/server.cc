// SPDX-License-Identifier: MIT
#include "mcp/server.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include "base/unique_fd.h"
#include "mcp/session.h"
#include "rpc/lines.h"

namespace hm::mcp {
namespace {

// Standard input and output, which only the protocol uses.
struct Channel {
  UniqueFd in, out;
};

Result<Channel> take_channel() {
  Channel channel{UniqueFd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
                  UniqueFd(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3))};
  UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  bool done = channel.in.valid() && channel.out.valid() && nothing.valid() &&
              ::dup2(nothing.get(), STDIN_FILENO) >= 0 && ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
  if (!done)
    return make_error(ErrorCode::kIo, "cannot serve at standard input and output: {}", errno_text(errno));
  return channel;
}

// Returns false if the client no longer reads.
bool write_line(int fd, const std::string& message) {
  std::string line = message + '\n';
  for (std::string_view rest = line; !rest.empty();) {
    ssize_t written = ::write(fd, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    rest.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

void receive(Session& session, const std::optional<rpc::Lines::Line>& line) {
  if (line->too_long)
    session.refuse_long_message();
  else if (line->text.find_first_not_of(" \t\r") != std::string::npos)
    session.receive(line->text);
}

}  // namespace

Status serve(const ServerOptions& options) {
  Result<Channel> channel = take_channel();
  if (!channel) return channel.error();
  std::atomic<bool> client_reads{true};
  std::error_code error;
  web::Recorder recorder(std::filesystem::read_symlink("/proc/self/exe", error), ".");
  Session session({.version = options.version,
                   .tools = all_tools(),
                   .recorder = recorder,
                   .send = [&](const std::string& message) {
                     if (client_reads) client_reads = write_line(channel->out.get(), message);
                   }});
  constexpr int kPauseMs = 100;
  rpc::Lines lines(rpc::kMaxMessageBytes);
  std::array<char, 65536> bytes;
  while (client_reads && !options.interrupted()) {
    pollfd input{channel->in.get(), POLLIN, 0};
    if (::poll(&input, 1, kPauseMs) <= 0) continue;
    ssize_t got = ::read(channel->in.get(), bytes.data(), bytes.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got > 0) lines.add({bytes.data(), static_cast<size_t>(got)});
    while (std::optional<rpc::Lines::Line> line = lines.next()) receive(session, line);
    if (got > 0) continue;
    if (std::optional<rpc::Lines::Line> line = lines.rest()) receive(session, line);
    return {};
  }
  return {};
}

}  // namespace hm::mcp
