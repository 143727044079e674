// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "analysis/timeline/history.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/needs.h"
#include "profile/profile.h"
#include "symbol/file_resolver.h"
#include "symbol/resolver.h"

namespace hm::web {

// Part of a recording for a group of queries. Loaded by the first query and cached.
class Part {
 public:
  // Loads after `first`, if there is one, because loading both in parallel would delay both.
  Part(const std::string& path, const query::Reading& reading, const profile::Needs& needs,
       Part* first = nullptr)
      : path_(path), reading_(reading), needs_(needs), first_(first) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  // Exclusive access to this part while the object lives.
  struct Use {
    std::unique_lock<std::mutex> lock;
    const profile::Profile& profile;
  };
  // Caches errors: a file that could not be read is not read again.
  [[nodiscard]] Result<Use> use();

  [[nodiscard]] const symbol::Resolver& resolver() const { return resolver_; }
  // Returns the history of this event (empty: the one with the most samples), with its branches distributed
  // in the given way. Call it only while the part is in use.
  [[nodiscard]] Result<const timeline::History*> history(const std::string& event, timeline::Way way);

 private:
  const std::string& path_;
  const query::Reading& reading_;
  profile::Needs needs_;
  Part* first_;
  std::mutex mutex_;
  symbol::FileResolver resolver_ = query::resolver_for(reading_);
  std::optional<Result<profile::Profile>> profile_;
  std::map<std::pair<std::string, timeline::Way>, timeline::History> histories_;
};

// A recording that can be queried. Data about code loads several times faster than data about memory
// accesses. Therefore these are two parts, and queries about code do not wait for the other part. The page
// requests both at once.
class Recording {
 public:
  Recording(std::string path, const query::Reading& reading) : path_(std::move(path)), reading_(reading) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Part& code() { return code_; }
  [[nodiscard]] Part& data() { return data_; }

 private:
  static constexpr profile::Needs kCode{.chains = true,
                                        .branches = profile::Branches::kFunctions,
                                        .cpus = true,
                                        .details = false,
                                        .objects = false};
  std::string path_;
  query::Reading reading_;
  Part code_{path_, reading_, kCode};
  Part data_{path_, reading_, query::kCauses, &code_};
};

}  // namespace hm::web
