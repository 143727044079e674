// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/corun/corun.h"
#include "app/query/cache_choice.h"
#include "app/query/load.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::query {

struct CorunOptions {
  std::vector<std::string> inputs;  // load_profile(), of a program each
  Reading reading;
  CacheWords cache;   // of the first recording's machine
  size_t caches = 0;  // to place the programs on; 0: no placement is wanted
};

struct CorunAnswer {
  std::vector<std::string> names;  // of the programs
  map::Cache cache;                // that was asked about
  corun::Corun corun;
};

// Which programs fit beside which in one cache.
[[nodiscard]] Result<CorunAnswer> predict_corun(const CorunOptions& options,
                                                const symbol::Resolver& resolver);

}  // namespace hm::query
