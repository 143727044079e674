// SPDX-License-Identifier: MIT
#include "view/json/recording.h"

namespace hm::json {

Json recording_json(const profile::Profile& profile) {
  return {{"pmu", or_null(profile.pmu())},
          {"command", profile.features.cmdline},
          {"lost", {{"records", profile.lost.records}, {"samples", profile.lost.samples}}},
          {"problems", profile.problems},
          {"notes", profile.notes},
          {"delivery", profile.delivery()}};
}

}  // namespace hm::json
