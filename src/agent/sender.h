// SPDX-License-Identifier: MIT
// Takes batches from a spool to a store.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "agent/spool.h"
#include "base/result.h"
#include "store/open_store.h"

namespace hm::agent {

class Sender {
 public:
  using Tell = std::function<void(const std::string&)>;

  // `host` chooses the shard; `tell` hears of batches that are damaged.
  Sender(store::Address address, store::Credentials credentials, const std::string& host, Tell tell);

  // What waits, oldest first, up to `most` batches. Those that the store has taken wait no longer, whatever
  // the error.
  Status send(Spool& spool, size_t most);

  [[nodiscard]] uint64_t batches() const { return batches_; }  // sent so far
  [[nodiscard]] uint64_t rows() const { return rows_; }

 private:
  Status send_one(Spool& spool, const std::string& name);
  Status open_store();

  store::Address address_;
  store::Credentials credentials_;
  size_t shard_;
  Tell tell_;
  std::unique_ptr<store::Store> store_;
  uint64_t batches_ = 0, rows_ = 0;
};

}  // namespace hm::agent
