// SPDX-License-Identifier: MIT
#include "app/query/load.h"

#include "app/query/input.h"
#include "profile/loader.h"

namespace hm::query {

symbol::FileResolver resolver_for(const Reading& reading) {
  return symbol::FileResolver(reading.files, reading.source_rules);
}

Result<profile::Profile> load_profile(const std::string& path, const symbol::Resolver& resolver,
                                      const profile::Needs& needs, const Reading& reading) {
  Result<Input> input = Input::open(path);
  if (!input) return input.error();
  Result<profile::Profile> profile = profile::load(input->reader(), resolver,
                                                   {.needs = needs,
                                                    .attribute_clock = !reading.raw_ip,
                                                    .trust_files = reading.trust_files || input->is_dump()});
  if (profile)
    profile->problems.insert(profile->problems.end(), input->problems().begin(), input->problems().end());
  return profile;
}

}  // namespace hm::query
