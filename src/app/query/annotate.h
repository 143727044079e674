// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/annotate/annotate.h"
#include "analysis/totals/totals.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct AnnotateOptions {
  std::string input = "perf.data";  // load_profile()
  Reading reading;                  // likewise
  annotate::Options annotate;
};

struct Annotated {
  profile::Profile profile;
  totals::Totals totals;
  annotate::Annotation annotation;
};

// One function's lines and instructions with their samples.
[[nodiscard]] Result<Annotated> annotate_function(const AnnotateOptions& options,
                                                  const symbol::Resolver& resolver);

}  // namespace hm::query
