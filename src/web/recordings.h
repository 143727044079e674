// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "analysis/timeline/history.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/file_resolver.h"
#include "symbol/resolver.h"

namespace hm::web {

// A recording that questions are asked of: loaded with the first one, and kept. One thread at a time has it,
// as long as it holds the lock of in_use().
class Recording {
 public:
  Recording(std::string path, const query::Reading& reading) : path_(std::move(path)), reading_(reading) {}
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::unique_lock<std::mutex> in_use() { return std::unique_lock(mutex_); }

  // With all that any question needs. An error stays: a file that could not be read is not read again.
  [[nodiscard]] Result<const profile::Profile*> profile();
  [[nodiscard]] const symbol::Resolver& resolver() const { return resolver_; }

  // Of this event (empty: the one with the most samples), its branches distributed in this way.
  [[nodiscard]] Result<const timeline::History*> history(const std::string& event, timeline::Way way);

 private:
  std::string path_;
  query::Reading reading_;
  std::mutex mutex_;
  symbol::FileResolver resolver_;
  std::optional<Result<profile::Profile>> profile_;
  std::map<std::pair<std::string, timeline::Way>, timeline::History> histories_;
};

}  // namespace hm::web
