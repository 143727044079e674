// SPDX-License-Identifier: MIT
#include "app/measure/soft/core_field.h"

#include <gtest/gtest.h>

#include "pmu/soft/direct/core/core.h"

namespace hm::measure {
namespace {

using soft::direct::Core;

TEST(CoreField, RegistersAndThunksHaveNamesOfTheirOwn) {
  EXPECT_EQ(core_field(static_cast<uint64_t>(soft::direct::saved_register_offset(soft::direct::kR10))),
            "r10");
  EXPECT_EQ(core_field(offsetof(Core, thunks) + soft::direct::kClock * sizeof(void*)), "call clock");
  for (unsigned thunk = 0; thunk < soft::direct::kThunks; ++thunk)
    EXPECT_NE(core_field(offsetof(Core, thunks) + thunk * sizeof(void*)), "") << thunk;
  EXPECT_EQ(core_field(offsetof(Core, context.ip)), "ip");
}

TEST(CoreField, TablesReachToTheNext) {
  constexpr uint64_t kHints = offsetof(Core, filters) + offsetof(soft::CoreFilters, hints);
  EXPECT_EQ(core_field(kHints), "hints");
  EXPECT_EQ(core_field(kHints + 2), "hints");
  EXPECT_EQ(core_field(kHints - 1), "places of code lines");
  EXPECT_EQ(core_field(soft::direct::kModelsOffset + (1u << 20)), "code page");
  EXPECT_EQ(core_field(0), "");
}

}  // namespace
}  // namespace hm::measure
