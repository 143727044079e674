// SPDX-License-Identifier: MIT
// Magic numbers by which the parts of the software PMU recognise each other's memory, as text in file order.
// Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

inline constexpr uint32_t kSessionTag = 0x34534d48;  // "HMS4"
inline constexpr uint32_t kRingTag = 0x31504d48;     // "HMP1": the ring of one process
inline constexpr uint32_t kRegionTag = 0x31524d48;   // "HMR1": compiled into programs by libhardmeter
inline constexpr uint32_t kStartTag = 0x31454d48;    // "HME1"

}  // namespace hm::soft
