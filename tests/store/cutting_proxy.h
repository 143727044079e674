// SPDX-License-Identifier: MIT
// A TCP server that passes on what it gets to another one, and cuts connections at random.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "base/unique_fd.h"

namespace hm::testing {

class CuttingProxy {
 public:
  // Of ten connections so many are cut: after some bytes of the request, or of the answer. `seed` chooses
  // which.
  CuttingProxy(uint16_t port, unsigned cuts_of_ten, uint64_t seed);
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;
  ~CuttingProxy();

  [[nodiscard]] uint16_t port() const { return own_port_; }
  [[nodiscard]] uint64_t cut() const { return cut_; }

 private:
  void serve();
  // Until one side ends, or so many bytes have gone there or come back.
  void pass_on(int client, uint64_t there, uint64_t back);

  uint16_t port_, own_port_ = 0;
  unsigned cuts_of_ten_;
  uint64_t random_;
  UniqueFd listener_;
  std::atomic<bool> stop_ = false;
  std::atomic<uint64_t> cut_ = 0;
  std::thread thread_;  // the last: it uses the rest
};

}  // namespace hm::testing
