// SPDX-License-Identifier: MIT
// Sends batches from a spool to a store.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/spool.h"
#include "base/result.h"
#include "store/open_store.h"

namespace hm::agent {

class Sender {
 public:
  using Log = std::function<void(const std::string&)>;

  // `host` selects the server. `log` receives messages about damaged batches and differing clocks.
  Sender(store::Address address, store::Credentials credentials, const std::string& host, Log log);

  // Sends the waiting batches, oldest first, for about `at_most`. Removes those that the store has accepted,
  // even if it fails later.
  Status send(Spool& spool, std::chrono::seconds at_most);

  // Returns the seconds to add to this machine's clock to get the store's. 0 if the store has not been
  // reached or the clocks hardly differ.
  [[nodiscard]] int64_t clock_offset_s() const { return clock_offset_s_; }

  [[nodiscard]] uint64_t batches() const { return batches_; }  // sent so far
  [[nodiscard]] uint64_t rows() const { return rows_; }

 private:
  Status send_one(Spool& spool, Waiting waiting);
  Result<store::Store*> open_store(size_t server);
  Status compare_clocks();
  [[nodiscard]] size_t server_of(const Waiting& waiting) const;

  store::Address address_;
  store::Credentials credentials_;
  Log log_;
  std::vector<std::string> marks_;                     // by server: its mark in the names of batches
  std::vector<std::unique_ptr<store::Store>> stores_;  // by server; null: not opened yet
  size_t own_server_ = 0;                              // receives new batches
  std::optional<std::chrono::steady_clock::time_point> clocks_compared_;
  int64_t clock_offset_s_ = 0;
  uint64_t batches_ = 0, rows_ = 0;
};

}  // namespace hm::agent
