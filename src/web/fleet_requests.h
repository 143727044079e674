// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/mutex.h"
#include "base/result.h"
#include "store/store.h"
#include "web/parameters.h"

namespace hm::web {

// A store of many machines for the page. Thread-safe: one request at a time uses the store, and requests are
// refused if too many wait. So a slow store leaves server threads for the page itself.
class Fleet {
 public:
  // `name` is the store's name, without passwords.
  Fleet(std::unique_ptr<store::Store> store, std::string name)
      : store_(std::move(store)), name_(std::move(name)) {}

  [[nodiscard]] const std::string& name() const { return name_; }

  // Handles "fleet" (the choices), "fleet_rows", "fleet_over_time" and "fleet_diff". Fails with kNotFound for
  // others.
  [[nodiscard]] Result<std::string> answer(std::string_view path, Parameters& parameters);

 private:
  std::unique_ptr<store::Store> store_ HM_GUARDED_BY(mutex_);
  std::string name_;
  Mutex mutex_;  // guards the store
  std::atomic<int> asking_ = 0;
};

}  // namespace hm::web
