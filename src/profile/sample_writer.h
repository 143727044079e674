// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "profile/place_table.h"
#include "profile/process_table.h"
#include "profile/profile.h"
#include "profile/timed_records.h"
#include "record/sample.h"

namespace hm::profile {

// Appends samples to the profile's columns.
class SampleWriter {
 public:
  SampleWriter(Profile& profile, PlaceTable& places, ProcessTable& processes)
      : profile_(profile), places_(places), processes_(processes) {}

  void reserve(std::span<const TimedRecord> records);
  // `misc`: of the record, for the CPU mode.
  void add(uint32_t event, uint16_t misc, const record::Sample& sample);

 private:
  enum class Space { kUser, kKernel, kElsewhere };

  static Space space_of(uint16_t misc);
  uint32_t locate(Space space, uint32_t pid, uint64_t address);
  uint32_t locate_anywhere(uint32_t pid, uint64_t address);
  void add_chain(Space space, const record::Sample& sample);
  void add_branches(const record::Sample& sample);
  void add_columns(uint32_t event, const record::Sample& sample);
  void add_extension(Bytes raw);

  Profile& profile_;
  PlaceTable& places_;
  ProcessTable& processes_;
};

}  // namespace hm::profile
