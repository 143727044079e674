// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/corun/corun_prediction.h"
#include "app/query/cache_choice.h"
#include "app/query/load.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::query {

struct CorunOptions {
  std::vector<std::string> inputs;  // for load_profile(); one per program
  Reading reading;
  CacheChoice cache;  // on the first recording's machine
  size_t caches = 0;  // number of caches to place the programs on; 0: no placement
};

struct CorunAnswer {
  std::vector<std::string> names;  // program names
  map::Cache cache;                // the selected cache
  corun::Corun corun;
};

// Predicts the extra misses of programs that share one cache.
[[nodiscard]] Result<CorunAnswer> predict_corun(const CorunOptions& options,
                                                const symbol::Resolver& resolver);

}  // namespace hm::query
