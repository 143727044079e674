// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "store/store.h"
#include "web/parameters.h"

namespace hm::web {

// A store of many machines that the page asks. May be asked by several threads at a time: one after another
// has the store, and who would wait behind many is refused, so that a slow store leaves the server threads
// for the page itself.
class Fleet {
 public:
  // `name`: what the store is called, without passwords.
  Fleet(std::unique_ptr<store::Store> store, std::string name)
      : store_(std::move(store)), name_(std::move(name)) {}

  [[nodiscard]] const std::string& name() const { return name_; }

  // "fleet": what can be chosen; "fleet_rows", "fleet_over_time", "fleet_diff". kNotFound for others.
  [[nodiscard]] Result<std::string> answer(std::string_view path, Parameters& parameters);

 private:
  std::unique_ptr<store::Store> store_;
  std::string name_;
  std::mutex mutex_;  // of the store
  std::atomic<int> asking_ = 0;
};

}  // namespace hm::web
