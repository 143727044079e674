// SPDX-License-Identifier: MIT
#include "app/query/program_sizes.h"

#include <optional>

namespace hm::query {

Result<std::vector<ProgramSizes>> load_program_sizes(const std::vector<std::string>& inputs,
                                                     const Reading& reading,
                                                     const symbol::Resolver& resolver) {
  std::vector<ProgramSizes> programs;
  for (const std::string& input : inputs) {
    Result<profile::Profile> profile = load_profile(input, resolver, profile::kPlacesOnly, reading);
    if (!profile) return profile.error();
    std::optional<profile::Sizes> sizes = profile::recorded_sizes(profile->features);
    if (!sizes)
      return make_error(ErrorCode::kNotFound,
                        "{} has no miss counts for other cache sizes: record it with --sizes", input);
    programs.push_back({input, *std::move(profile), *std::move(sizes)});
  }
  return programs;
}

}  // namespace hm::query
