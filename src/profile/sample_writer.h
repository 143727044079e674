// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "profile/address_cache.h"
#include "profile/call_chain.h"
#include "profile/segment.h"
#include "record/sample.h"

namespace hm::profile {

// Appends samples to a segment's columns.
class SampleWriter {
 public:
  SampleWriter(const Recording& recording, const ProcessTable& processes, Segment& segment)
      : recording_(recording), processes_(processes), segment_(segment), call_chain_(recording, segment) {}

  void reserve(size_t samples);
  // `misc` is that of the record; it contains the CPU mode.
  void add(uint32_t event, uint16_t misc, const record::Sample& sample);
  // Takes a sample record that describes an allocation site.
  void add_heap_site(uint32_t event, const record::Sample& sample);
  // Call when the processes have changed.
  void forget_processes() { last_.reset(); }

 private:
  // Process and thread of a sample.
  struct Task {
    uint32_t pid = 0;
    uint32_t tid = 0;
    uint32_t thread = 0;  // index as in Samples::thread
    const NumberedSpace* user = nullptr;
  };

  static Mode mode_of(uint16_t misc);
  const Task& task_of(const record::Sample& sample);
  uint32_t thread(uint32_t pid, uint32_t tid);
  uint32_t locate(Mode mode, const Task& task, uint64_t address);
  // Locates user code with a place that depends on the sample's time.
  std::optional<uint32_t> locate_replaced(const Task& task, uint64_t address);
  // Locates code in an unknown mode.
  uint32_t locate_anywhere(const Task& task, uint64_t address);
  void add_chain(uint32_t event, Mode mode, const Task& task, const record::Sample& sample);
  void add_branches(const Task& task, const record::Sample& sample);
  void add_left_places(uint32_t event, const Task& task, const record::Sample& sample);
  void reserve_left_places();
  void add_cycles(uint16_t cycles);
  void add_weight(uint32_t event, const record::Sample& sample);
  void add_details(uint32_t event, const record::Sample& sample);
  void add_extension(Bytes raw);
  void add_steps(const record::MissSteps& steps);
  void add_what_if(const record::WhatIf& what_if);
  void add_depths(const record::DepthsExtension& depths);
  void add_tlb(const record::TlbExtension& tlb, Bytes pages);  // `pages` follow `tlb`
  void add_heap_block(const record::HeapBlockExtension& block);

  const Recording& recording_;
  const ProcessTable& processes_;
  Segment& segment_;
  CallChain call_chain_;
  AddressCache<uint32_t> numbers_;  // numbers of places
  // Numbers of code places of either mode in a process, valid while the kernel's mappings have
  // kernel_version_.
  AddressCache<uint32_t> numbers_anywhere_;
  uint32_t kernel_version_ = 0;
  uint64_t time_ns_ = 0;     // of the current sample
  LastStacks::Stack stack_;  // of the current sample
  size_t expected_samples_ = 0;
  std::optional<Task> last_;
};

}  // namespace hm::profile
