// SPDX-License-Identifier: MIT
#include "app/query/corun_query.h"

#include <utility>

#include "app/query/program_sizes.h"

namespace hm::query {

Result<CorunAnswer> predict_corun(const CorunOptions& options, const symbol::Resolver& resolver) {
  Result<std::vector<ProgramSizes>> recorded = load_program_sizes(options.inputs, options.reading, resolver);
  if (!recorded) return recorded.error();
  if (recorded->empty()) return make_error(ErrorCode::kInvalidArgument, "no recording is given");
  Result<map::Cache> cache = choose_cache(options.cache, recorded->front().profile);
  if (!cache) return cache.error();
  std::vector<corun::Program> programs;
  for (ProgramSizes& each : *recorded) programs.push_back({each.input, std::move(each.sizes)});
  Result<corun::Corun> corun = corun::predict(programs, {cache->sets, cache->line_bytes, options.caches});
  if (!corun) return corun.error();
  return CorunAnswer{options.inputs, *std::move(cache), *std::move(corun)};
}

}  // namespace hm::query
