// SPDX-License-Identifier: GPL-2.0-or-later
// What translated code calls when a filter does not let an access pass, or a counter is down.
//
// It calls through thunks (call_outs.S) that preserve every register the translator allocates, so that the
// calls, which are seldom taken, cost the code around them no spills (see register_allocation.cc). The thunks
// pass the guest state, which translated code keeps in rbp, as third argument.
#pragma once

#include <stdint.h>

#include "event/event_id.h"
#include "record/extension.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

// A data access, in 32 bits: an operand of the call.
struct AccessInfo {
  uint32_t bytes;
  record::AccessKind kind;
  bool locked;
  uint32_t position;  // slots of the segment before this one; the tick of the segment's start is in the guest
                      // state

  static constexpr uint32_t kMaxBytes = 4095;
  static constexpr uint32_t kMaxPosition = (1u << 14) - 1;

  [[nodiscard]] constexpr uint32_t pack() const {
    return bytes | static_cast<uint32_t>(kind) << 12 | (locked ? 1u << 16 : 0u) | position << 17;
  }
  static constexpr AccessInfo unpack(uint64_t packed) {
    return {static_cast<uint32_t>(packed & 0xfff), static_cast<record::AccessKind>((packed >> 12) & 0xf),
            ((packed >> 16) & 1) != 0, static_cast<uint32_t>((packed >> 17) & kMaxPosition)};
  }
};

// A fetch of a code line.
struct FetchInfo {
  uint32_t flag_index;
  uint32_t position;

  [[nodiscard]] constexpr uint64_t pack() const { return uint64_t{position} << 32 | flag_index; }
  static constexpr FetchInfo unpack(uint64_t packed) {
    return {static_cast<uint32_t>(packed), static_cast<uint32_t>(packed >> 32)};
  }
};

// A counted-down event or a branch.
struct EventInfo {
  event::EventId id;
  uint32_t position;
  bool taken;

  [[nodiscard]] constexpr uint32_t pack() const {
    return static_cast<uint32_t>(id) | position << 8 | (taken ? 1u << 24 : 0u);
  }
  static constexpr EventInfo unpack(uint64_t packed) {
    return {static_cast<event::EventId>(packed & 0xff), static_cast<uint32_t>((packed >> 8) & 0xffff),
            ((packed >> 24) & 1) != 0};
  }
};

}  // namespace hm::soft::vg

extern "C" {
// The thunks; never called from C++. First argument, second argument.
void hm_call_data(uint64_t address, uint64_t access_info);
void hm_call_fetch(uint64_t address, uint64_t fetch_info);
void hm_call_overflow(uint64_t ip, uint64_t event_info);  // a counter is down to 0
void hm_call_memory_overflow(uint64_t address,
                             uint64_t access_info);          // memory_loads, _stores or _moves, likewise
void hm_call_store(uint64_t address, uint64_t access_info);  // into the store buffer
void hm_call_load(uint64_t address, uint64_t access_info);   // out of it
void hm_call_conditional(uint64_t ip, uint64_t taken);       // predictor
void hm_call_indirect(uint64_t ip, uint64_t target);
void hm_call_return(uint64_t ip, uint64_t target);
void hm_call_call(uint64_t ip, uint64_t return_address);
void hm_call_clock(uint64_t ip, uint64_t event_info);
void hm_call_undecodable(uint64_t ip, uint64_t unused);
extern const char hm_thunks_begin[];
extern const char hm_thunks_end[];
}
