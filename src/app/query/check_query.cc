// SPDX-License-Identifier: MIT
#include "app/query/check_query.h"

#include "app/query/input.h"
#include "profile/event_names.h"

namespace hm::query {

Result<Checked> check(const std::string& path) {
  Result<Input> input = Input::open(path);
  if (!input) return input.error();
  Checked checked{analysis::check(input->reader()), input->reader().events()};
  profile::EventNames names;
  for (record::EventDescription& event : checked.events) event.name = names.name_of(event);
  std::vector<std::string>& problems = checked.result.problems;
  problems.insert(problems.end(), input->problems().begin(), input->problems().end());
  return checked;
}

}  // namespace hm::query
