// SPDX-License-Identifier: MIT
// Functions that copied code calls: each thunk's name in the engine, its function in switch.S, and its
// description for the user.
#pragma once

#define HM_THUNKS(each)                                                                                    \
  each(kLeave, hm_leave, "leave") each(kData, hm_call_data, "call data")                                   \
      each(kFetch, hm_call_fetch, "call fetch") each(kString, hm_call_string, "call string") each(         \
          kElements, hm_call_elements, "call elements") each(kOverflow, hm_call_overflow, "call overflow") \
          each(kMemory, hm_call_memory, "call memory")                                                     \
              each(kStoreBuffer, hm_call_store_buffer, "call store buffer")                                \
                  each(kSizes, hm_call_sizes, "call sizes") each(kBranch, hm_call_branch, "call branch")   \
                      each(kClock, hm_call_clock, "call clock") each(kHeap, hm_call_heap, "call heap")     \
                          each(kPause, hm_call_pause, "call pause")

namespace hm::soft::direct {

enum Thunk : unsigned {
#define HM_NUMBER(name, function, text) name,
  HM_THUNKS(HM_NUMBER)
#undef HM_NUMBER
      kThunks
};

}  // namespace hm::soft::direct
