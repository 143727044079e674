// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "event/event_template.h"
#include "hardmeter/hardmeter.h"

namespace hm::capi {

// The events as the C API shows them, in their groups with a heading each; made at the first call.
class Templates {
 public:
  static const Templates& get();

  [[nodiscard]] const std::vector<hardmeter_template>& all() const { return all_; }
  // nullptr where there is none.
  [[nodiscard]] const hardmeter_template* find(std::string_view name) const;
  // nullptr where `entry` is a heading, or not one of these.
  [[nodiscard]] const event::EventTemplate* event_of(const hardmeter_template* entry) const;

 private:
  Templates();
  void add(const event::EventTemplate& event);

  std::vector<std::string> texts_;  // those that the entries point at
  std::vector<hardmeter_template> all_;
};

}  // namespace hm::capi
