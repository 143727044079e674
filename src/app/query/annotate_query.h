// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/annotate/annotation.h"
#include "analysis/totals/totals.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct AnnotateOptions {
  std::string input = "perf.data";  // for load_profile()
  Reading reading;                  // for load_profile()
  annotate::Options annotate;
};

struct Annotated {
  profile::Profile profile;
  totals::Totals totals;
  annotate::Annotation annotation;
};

// Returns one function's lines and instructions with their samples.
[[nodiscard]] Result<Annotated> annotate_function(const AnnotateOptions& options,
                                                  const symbol::Resolver& resolver);

}  // namespace hm::query
