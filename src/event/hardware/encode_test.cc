// SPDX-License-Identifier: MIT
#include "event/hardware/encode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "event/event_template.h"
#include "event/hardware/known_cpus.h"
#include "event/hardware/pfm.h"

namespace hm::event {
namespace {

using ::testing::HasSubstr;

TEST(Encode, AUsersSettingsOfLibpfmChangeNothing) {
  ::setenv("LIBPFM_DISABLED_PMUS", "skx", 1);
  ::setenv("LIBPFM_FORCE_PMU", "netburst", 1);
  auto code = pfm_encode("skx", "MEM_LOAD_RETIRED:L1_MISS");
  ASSERT_TRUE(code.ok()) << code.error().message;
  EXPECT_EQ(code->config, 0x08d1u);
  EXPECT_STREQ(std::getenv("LIBPFM_FORCE_PMU"), "netburst");
}

TEST(Encode, AnEventThatLibpfmLacksIsNamed) {
  auto code = pfm_encode("skx", "MEM_LOAD_RETIRED:L9_MISS");
  ASSERT_FALSE(code.ok());
  EXPECT_THAT(code.error().message, HasSubstr("skx::MEM_LOAD_RETIRED:L9_MISS"));
}

TEST(Encode, EveryEventOnEveryProcessorIsEncodedOrRefusedWithAReason) {
  for (const KnownCpu& cpu : known_cpus()) {
    for (const EventTemplate& event : all_events()) {
      for (Use use : {Use::kCount, Use::kSample}) {
        auto encodings = encode(event.id, cpu.model, use);
        if (!encodings) {
          EXPECT_EQ(encodings.error().code, ErrorCode::kUnsupported);
          EXPECT_THAT(encodings.error().message, HasSubstr("is not available"))
              << cpu.name << ' ' << event.name;
          continue;
        }
        EXPECT_FALSE(encodings->empty()) << cpu.name << ' ' << event.name;
        for (const Encoding& each : *encodings) {
          EXPECT_FALSE(each.native.empty()) << cpu.name << ' ' << event.name;
          EXPECT_FALSE(each.pmu.empty()) << cpu.name << ' ' << event.name;
        }
      }
    }
  }
}

TEST(Encode, AProcessorThatIsNotKnownIsRefused) {
  auto encodings = encode(EventId::kL1CacheMiss, CpuModel{Vendor::kIntel, 6, 0x0f}, Use::kSample);
  ASSERT_FALSE(encodings.ok());
  EXPECT_THAT(encodings.error().message, HasSubstr("family 0x6, model 0xf"));
}

}  // namespace
}  // namespace hm::event
