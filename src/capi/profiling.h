// SPDX-License-Identifier: MIT
// Samples one thread with the kernel's PMU, from a start to its stop.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "capi/resource_file.h"
#include "pmu/linux/kept_samples.h"
#include "pmu/linux/perf_session.h"
#include "record/recording_sink.h"

namespace hm::capi {

class Profiling {
 public:
  // Starts to sample the calling thread as configured by the resource, into the file `path`. Leaves nothing
  // open on failure.
  static Result<std::unique_ptr<Profiling>> start(const Resource& resource, const std::string& path);

  // Ends sampling and writes the file.
  Status stop();

  // Call this in a forked child, because the parent continues the measurement.
  void abandon() { session_.abandon(); }

 private:
  Profiling(linux_pmu::Session session, const Resource& resource, const std::string& path);
  Status begin(const Resource& resource);
  Status drain();
  [[nodiscard]] std::optional<uint64_t> samples_missing() const;

  linux_pmu::Session session_;
  linux_pmu::KeptSamples kept_;
  std::unique_ptr<record::RecordingSink> sink_;
  record::Features features_;
  uint64_t interval_;
  uint64_t samples_ = 0;
  uint64_t max_samples_;     // 0: the sink has the limit
  bool is_limited_ = false;  // later samples were dropped
  std::chrono::steady_clock::time_point began_;
};

}  // namespace hm::capi
