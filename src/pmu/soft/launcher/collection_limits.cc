// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/collection_limits.h"

#include <algorithm>
#include <cstring>

namespace hm::soft {

Status limit(Session& session, const CollectionLimits& limits) {
  if (limits.functions.size() > kMaxFunctions)
    return make_error(ErrorCode::kInvalidArgument,
                      "{} functions are too many to collect inside of; name at most {}",
                      limits.functions.size(), kMaxFunctions);
  session.held = limits.start_after_ms != 0 ? 1 : 0;
  session.obeys_regions = limits.any() || limits.whole ? 0 : 1;
  for (const std::string& name : limits.functions) {
    if (name.empty() || name.size() >= kMaxFunctionName)
      return make_error(ErrorCode::kInvalidArgument,
                        "a function's name has from 1 to {} bytes, and --function={} has {}",
                        kMaxFunctionName - 1, name.substr(0, 40), name.size());
    std::memcpy(session.functions[session.function_count++].name, name.c_str(), name.size() + 1);
  }
  return {};
}

namespace {

// Merges equal names, which occur if processes began a region at the same time.
void add_regions(const Session& session, std::vector<FunctionUse>& regions) {
  for (const CollectedRegion& each : session.regions) {
    if (__atomic_load_n(&each.state, __ATOMIC_ACQUIRE) != kRegionNamed) continue;
    std::string name(each.name, ::strnlen(each.name, sizeof(each.name)));
    auto known = std::ranges::find(regions, name, &FunctionUse::name);
    if (known == regions.end()) known = regions.insert(regions.end(), {name, true, 0});
    known->entered += __atomic_load_n(&each.entered, __ATOMIC_ACQUIRE);
  }
}

}  // namespace

CollectionUse use_of(const Session& session) {
  CollectionUse use;
  use.began = __atomic_load_n(&session.held, __ATOMIC_ACQUIRE) == 0;
  add_regions(session, use.regions);
  use.programs_with_regions = __atomic_load_n(&session.region_programs, __ATOMIC_ACQUIRE);
  // Processes may have overwritten the session.
  uint32_t count = std::min(__atomic_load_n(&session.function_count, __ATOMIC_RELAXED), kMaxFunctions);
  for (uint32_t i = 0; i < count; ++i) {
    const CollectedFunction& each = session.functions[i];
    use.functions.push_back({std::string(each.name, ::strnlen(each.name, sizeof(each.name))),
                             __atomic_load_n(&each.found, __ATOMIC_ACQUIRE) != 0,
                             __atomic_load_n(&each.entered, __ATOMIC_ACQUIRE)});
  }
  return use;
}

}  // namespace hm::soft
