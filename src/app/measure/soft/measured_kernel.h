// SPDX-License-Identifier: MIT
// The kernel that an engine samples beside the programs: a guest's.
#pragma once

#include <linux/perf_event.h>

#include <utility>

#include "app/keep_symbols.h"
#include "pmu/linux/running_processes.h"
#include "pmu/source.h"
#include "record/features.h"

namespace hm::measure {

class MeasuredKernel {
 public:
  explicit MeasuredKernel(linux_pmu::KernelFiles read) : read_(std::move(read)) {}

  // Writes the records that map its code.
  [[nodiscard]] Status write_records(const perf_event_attr& attr, const pmu::Sink& sink) const;
  // Adds its build ID, and that of its modules. Keeps its symbols: no file on this machine has them.
  void describe(record::Features& features, app::KeepSymbols keep) const;

 private:
  linux_pmu::KernelFiles read_;
};

}  // namespace hm::measure
