// SPDX-License-Identifier: MIT
// A TCP proxy that forwards data to a server, and cuts connections at random.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "base/unique_fd.h"

namespace hm::testing {

class CuttingProxy {
 public:
  // Cuts `cuts_of_ten` of ten connections, after some bytes of the request or of the response. `seed` selects
  // them.
  CuttingProxy(uint16_t port, unsigned cuts_of_ten, uint64_t seed);
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;
  ~CuttingProxy();

  [[nodiscard]] uint16_t port() const { return own_port_; }
  [[nodiscard]] uint64_t cut() const { return cut_; }

 private:
  void serve();
  // Forwards data until one side ends, or until `there` bytes have gone to the server or `back` bytes have
  // come back.
  void pass_on(int client, uint64_t there, uint64_t back);

  uint16_t port_, own_port_ = 0;
  unsigned cuts_of_ten_;
  uint64_t random_;
  UniqueFd listener_;
  std::atomic<bool> stop_ = false;
  std::atomic<uint64_t> cut_ = 0;
  std::thread thread_;  // declared last, because it uses the other members
};

}  // namespace hm::testing
