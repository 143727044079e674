// SPDX-License-Identifier: MIT
#include "rpc/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace hm::rpc {

Result<Channel> Channel::take() {
  Channel channel;
  channel.in_.reset(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
  channel.out_.reset(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  bool done = channel.in_.valid() && channel.out_.valid() && nothing.valid() &&
              ::dup2(nothing.get(), STDIN_FILENO) >= 0 && ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
  if (!done)
    return make_error(ErrorCode::kIo, "cannot serve at standard input and output: {}", errno_text(errno));
  return channel;
}

bool Channel::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    ssize_t written = ::write(out_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

void Channel::serve(const std::function<void(std::string_view bytes)>& receive,
                    const std::function<bool()>& look) const {
  constexpr int kPauseMs = 100;
  std::array<char, 65536> bytes;
  while (look()) {
    pollfd input{in_.get(), POLLIN, 0};
    if (::poll(&input, 1, kPauseMs) <= 0) continue;
    ssize_t got = ::read(in_.get(), bytes.data(), bytes.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return;
    receive({bytes.data(), static_cast<size_t>(got)});
  }
}

}  // namespace hm::rpc
