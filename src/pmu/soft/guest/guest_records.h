// SPDX-License-Identifier: MIT
// Writes what happens in the guest as perf records: samples, and tasks, names and mappings as the guest's
// kernel reports them to its own perf.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pmu/soft/guest/guest_core.h"
#include "pmu/soft/guest/kernel_objects.h"
#include "pmu/soft/guest/registers.h"
#include "pmu/soft/guest/tasks.h"
#include "pmu/soft/ring/ring_writer.h"

namespace hm::soft::guest {

// A function of the kernel at whose entry something is reported. Its argument is a task or a mapping.
enum class KernelReport : uint8_t { kMapping, kName, kFork, kExit };

class GuestRecords {
 public:
  // All references have to outlive the object.
  GuestRecords(const Session& session, RingWriter& ring, const Registers& registers,
               const KernelLayout& layout, const KernelMemory& memory, KernelObjects objects)
      : session_(session),
        ring_(ring),
        registers_(registers),
        layout_(layout),
        tasks_(layout, memory),
        objects_(std::move(objects)) {}

  // Returns what the kernel reports when it runs the instruction at this address.
  [[nodiscard]] std::optional<KernelReport> report_at(uint64_t address) const;

  // The functions below are called by the thread of QEMU that runs all virtual CPUs.

  // Writes the names of all processes that exist.
  void begin();
  // `argument`, `second`: of the kernel's function.
  void report(unsigned cpu, KernelReport what, uint64_t argument, uint64_t second);
  void sample(const DueSample& due);

 private:
  [[nodiscard]] Origin origin_of(const Task& task) const;
  void write(RecordBuilder record);

  const Session& session_;
  RingWriter& ring_;
  const Registers& registers_;
  KernelLayout layout_;
  Tasks tasks_;
  KernelObjects objects_;
};

}  // namespace hm::soft::guest
