// SPDX-License-Identifier: MIT
// Takes batches from a spool to a store.
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
  using Tell = std::function<void(const std::string&)>;

  // `host` chooses the server; `tell` hears of batches that are damaged, and of clocks that differ.
  Sender(store::Address address, store::Credentials credentials, const std::string& host, Tell tell);

  // What waits, oldest first, for about `at_most`. Those that the store has taken wait no longer, whatever
  // the error.
  Status send(Spool& spool, std::chrono::seconds at_most);

  // What is to be added to this machine's clock so that it is the store's, in seconds; 0 as long as the store
  // was not reached, and where they hardly differ.
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
  Tell tell_;
  std::vector<std::string> marks_;                     // of each server: what a batch's name has of it
  std::vector<std::unique_ptr<store::Store>> stores_;  // by server; null: not opened yet
  size_t own_server_ = 0;                              // where new batches go
  std::optional<std::chrono::steady_clock::time_point> clocks_compared_;
  int64_t clock_offset_s_ = 0;
  uint64_t batches_ = 0, rows_ = 0;
};

}  // namespace hm::agent
