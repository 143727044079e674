// SPDX-License-Identifier: MIT
// One thread, sampled from a start to its stop by the kernel's PMU.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "capi/resource_file.h"
#include "pmu/linux/kept_samples.h"
#include "pmu/linux/session.h"
#include "record/recording_sink.h"

namespace hm::capi {

class Profiling {
 public:
  // Of the calling thread, as the resource says, into the file `path`. Where it fails nothing stays open.
  static Result<std::unique_ptr<Profiling>> start(const Resource& resource, const std::string& path);

  // Ends it, and writes the file.
  Status stop();

  // In a forked child: the parent goes on with it.
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
  std::chrono::steady_clock::time_point began_;
};

}  // namespace hm::capi
