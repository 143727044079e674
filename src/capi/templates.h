// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "event/event_template.h"
#include "hardmeter/hardmeter.h"

namespace hm::capi {

// The events as presented by the C API: in groups, each with a heading. Created at the first call.
class Templates {
 public:
  static const Templates& get();

  [[nodiscard]] const std::vector<hardmeter_template>& all() const { return all_; }
  // Returns nullptr if there is no such event.
  [[nodiscard]] const hardmeter_template* find(std::string_view name) const;
  // Returns nullptr if `entry` is a heading or not from this list.
  [[nodiscard]] const event::EventTemplate* event_of(const hardmeter_template* entry) const;

 private:
  Templates();
  void add(const event::EventTemplate& event);

  std::vector<std::string> texts_;  // strings that the entries point to
  std::vector<hardmeter_template> all_;
};

}  // namespace hm::capi
