// SPDX-License-Identifier: MIT
// One event on its target, for the low-level API.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "base/result.h"
#include "event/event_template.h"
#include "hardmeter/hardmeter.h"
#include "pmu/linux/description.h"
#include "pmu/linux/kept_samples.h"
#include "pmu/linux/perf_session.h"
#include "record/event_index.h"

namespace hm::capi {

class Counter {
 public:
  static Result<std::unique_ptr<Counter>> open(const event::EventTemplate& event, hardmeter_target target,
                                               int id, const hardmeter_options& options);

  void enable() { session_.enable(); }
  void disable() { session_.disable(); }
  [[nodiscard]] hardmeter_count read() const;
  // Returns nullopt if no sample is available now.
  std::optional<hardmeter_sample> next_sample();
  [[nodiscard]] uint64_t lost() const { return lost_; }

 private:
  explicit Counter(linux_pmu::Session session)
      : session_(std::move(session)),
        kept_(session_),
        events_(linux_pmu::describe_events(session_)),
        index_(events_) {}
  void drain();
  void take(Bytes record);

  linux_pmu::Session session_;
  linux_pmu::KeptSamples kept_;
  std::vector<record::EventDescription> events_;  // without helper events
  record::EventIndex index_;
  std::deque<hardmeter_sample> samples_;
  uint64_t lost_ = 0;
};

}  // namespace hm::capi
