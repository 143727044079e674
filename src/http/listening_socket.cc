// SPDX-License-Identifier: MIT
#include "http/listening_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace hm::http {

Result<UniqueFd> listen_at(const Address& address, std::string_view what) {
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(address.port);
  ::inet_pton(AF_INET, address.host.c_str(), &name.sin_addr);
  int yes = 1;  // allows a restart while connections of the old server are in TIME_WAIT
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 &&
      ::listen(socket.get(), SOMAXCONN) == 0)
    return socket;
  int number = errno;
  ErrorCode code = number == EACCES || number == EPERM ? ErrorCode::kPermission : ErrorCode::kIo;
  return make_error(code, "{} cannot be served at {}:{}: {}", what, address.host, address.port,
                    errno_text(number));
}

uint16_t bound_port(int socket) {
  sockaddr_in name{};
  socklen_t size = sizeof name;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&name), &size);
  return ntohs(name.sin_port);
}

}  // namespace hm::http
