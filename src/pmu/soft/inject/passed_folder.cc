// SPDX-License-Identifier: MIT
// Sources: unix(7), "SCM_RIGHTS"; pidfd_getfd(2); recvmsg(2).
#include "pmu/soft/inject/passed_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/unique_fd.h"
#include "pmu/soft/inject/process_memory.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {
namespace {

// Memory of the process for one recvmsg(2).
struct Received {
  struct msghdr message;
  struct iovec part;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  std::array<int, 2> pair;
  char byte;
};
static_assert(sizeof(Received) <= 256);

Received expected_at(uint64_t scratch) {
  const auto pointer = [scratch](size_t offset) { return reinterpret_cast<void*>(scratch + offset); };
  Received received{};
  received.part = {pointer(offsetof(Received, byte)), 1};
  received.message.msg_iov = static_cast<iovec*>(pointer(offsetof(Received, part)));
  received.message.msg_iovlen = 1;
  received.message.msg_control = pointer(offsetof(Received, control));
  received.message.msg_controllen = sizeof(received.control);
  return received;
}

UniqueFd descriptor_of(pid_t process, int number) {
  UniqueFd handle(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  if (!handle.valid()) return {};
  return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_getfd, handle.get(), number, 0)));
}

bool send_descriptor(int socket, int descriptor) {
  char byte = 0;
  struct iovec part {
    &byte, 1
  };
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  struct msghdr message {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(head), &descriptor, sizeof(descriptor));
  return ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

// Returns the number of the received descriptor in the process.
Result<int> receive(pid_t process, const RemoteCall& call, uint64_t scratch, int socket) {
  Received received = expected_at(scratch);
  if (!write_memory(process, scratch, &received, sizeof(received)))
    return injection_error(process, "write a message's head");
  auto bytes = call(SYS_recvmsg, static_cast<uint64_t>(socket), scratch + offsetof(Received, message),
                    MSG_CMSG_CLOEXEC | MSG_DONTWAIT, 0, 0, 0);
  if (!bytes) return bytes.error();
  if (!read_memory(process, scratch, &received, sizeof(received)))
    return injection_error(process, "read its descriptor");
  cmsghdr head{};
  int number = -1;
  std::memcpy(&head, received.control, sizeof(head));
  if (head.cmsg_level == SOL_SOCKET && head.cmsg_type == SCM_RIGHTS)
    std::memcpy(&number, received.control + CMSG_LEN(0), sizeof(number));
  errno = EMFILE;  // why the kernel leaves out a descriptor
  if (number < 0) return injection_error(process, "open the session's folder");
  return number;
}

}  // namespace

bool finds_session(pid_t process, const std::string& session_folder) {
  std::string session = session_folder + "/" + kSessionFileName;
  struct stat here {
  }, there{};
  return ::stat(session.c_str(), &here) == 0 &&
         ::stat(fmt::format("/proc/{}/root{}", process, session).c_str(), &there) == 0 &&
         here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

Result<int> pass_folder(pid_t process, const RemoteCall& call, uint64_t scratch, const std::string& folder) {
  UniqueFd opened(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened.valid()) return make_error(ErrorCode::kIo, "cannot open '{}': {}", folder, errno_text(errno));
  auto made = call(SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, scratch, 0, 0);
  if (!made) return made.error();
  std::array<int, 2> pair{};
  if (!read_memory(process, scratch, pair.data(), sizeof(pair)))
    return injection_error(process, "read its sockets");
  UniqueFd socket = descriptor_of(process, pair[0]);
  bool is_sent = socket.valid() && send_descriptor(socket.get(), opened.get());
  Result<int> number = is_sent ? receive(process, call, scratch, pair[1])
                               : Result<int>(injection_error(process, "pass it the session's folder"));
  for (int each : pair) (void)call(SYS_close, static_cast<uint64_t>(each), 0, 0, 0, 0, 0);
  return number;
}

}  // namespace hm::soft
