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

// A recording, as far as some questions need it: loaded with the first of them, and kept.
class Part {
 public:
  // Loaded after `first`, if there is one: two that load beside each other would both be late.
  Part(const std::string& path, const query::Reading& reading, const profile::Needs& needs,
       Part* first = nullptr)
      : path_(path), reading_(reading), needs_(needs), first_(first) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  // As long as it lives nobody else has this part.
  struct Use {
    std::unique_lock<std::mutex> lock;
    const profile::Profile& profile;
  };
  // An error stays: a file that could not be read is not read again.
  [[nodiscard]] Result<Use> use();

  [[nodiscard]] const symbol::Resolver& resolver() const { return resolver_; }
  // Of this event (empty: the one with the most samples), its branches distributed in this way; of a part
  // that is in use.
  [[nodiscard]] Result<const timeline::History*> history(const std::string& event, timeline::Way way);

 private:
  const std::string& path_;
  const query::Reading& reading_;
  profile::Needs needs_;
  Part* first_;
  std::mutex mutex_;
  symbol::FileResolver resolver_;
  std::optional<Result<profile::Profile>> profile_;
  std::map<std::pair<std::string, timeline::Way>, timeline::History> histories_;
};

// One that questions are asked of. What code does is known several times sooner than what data it uses: so
// these are two parts, and questions about code do not wait for those about data. The page asks both at once.
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
