// SPDX-License-Identifier: MIT
#include "store/cutting_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <list>

namespace hm::testing {
namespace {

sockaddr_in local(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

// Returns false at the end of the data.
bool copy(int from, int to, uint64_t& allowed) {
  char buffer[4096];
  ssize_t count = ::recv(from, buffer, sizeof(buffer), 0);
  if (count <= 0) return false;
  auto passed = static_cast<size_t>(std::min<uint64_t>(static_cast<uint64_t>(count), allowed));
  allowed -= passed;
  for (size_t at = 0; at < passed;) {
    ssize_t sent = ::send(to, buffer + at, passed - at, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    at += static_cast<size_t>(sent);
  }
  return allowed != 0;
}

}  // namespace

CuttingProxy::CuttingProxy(uint16_t port, unsigned cuts_of_ten, uint64_t seed)
    : port_(port),
      cuts_of_ten_(cuts_of_ten),
      random_(seed * 2 + 1),
      listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = local(0);
  socklen_t size = sizeof(address);
  if (::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size) == 0 &&
      ::listen(listener_.get(), 64) == 0 &&
      ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0)
    own_port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

CuttingProxy::~CuttingProxy() {
  stop_ = true;
  thread_.join();
}

void CuttingProxy::serve() {
  std::list<std::thread> connections;
  while (!stop_) {
    pollfd waiting{listener_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, 50) <= 0) continue;
    int client = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    random_ = random_ * 6364136223846793005 + 1442695040888963407;
    uint64_t number = random_ >> 33, limit = number / 20 % 3000;
    bool cuts = number % 10 < cuts_of_ten_, answer = number / 10 % 2 == 0;
    uint64_t there = cuts && !answer ? limit : UINT64_MAX, back = cuts && answer ? limit % 200 : UINT64_MAX;
    connections.emplace_back([this, client, there, back] { pass_on(client, there, back); });
  }
  for (std::thread& each : connections) each.join();
}

void CuttingProxy::pass_on(int client, uint64_t there, uint64_t back) {
  UniqueFd in(client), out(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = local(port_);
  if (::connect(out.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) return;
  while (!stop_) {
    pollfd ends[2] = {{in.get(), POLLIN, 0}, {out.get(), POLLIN, 0}};
    if (::poll(ends, 2, 50) <= 0) continue;
    bool goes_on = (ends[0].revents == 0 || copy(in.get(), out.get(), there)) &&
                   (ends[1].revents == 0 || copy(out.get(), in.get(), back));
    if (goes_on) continue;
    if (there == 0 || back == 0) ++cut_;
    return;
  }
}

}  // namespace hm::testing
