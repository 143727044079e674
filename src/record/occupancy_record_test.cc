// SPDX-License-Identifier: MIT
#include "record/occupancy_record.h"

#include <gtest/gtest.h>

namespace hm::record {
namespace {

OccupancyReading example() { return {"batch", true, 32 << 20, 5 << 20, std::nullopt}; }

std::vector<std::byte> payload_of(const OccupancyReading& reading) {
  std::vector<std::byte> payload;
  (void)occupancy_sample(reading, payload);
  return payload;
}

TEST(Occupancy, ReadsWhatWasWritten) {
  OccupancyReading reading = example();
  EXPECT_EQ(decode_occupancy(payload_of(reading), false), reading);
  reading.occupancy_bytes.reset();
  reading.total_bytes_per_s = 0;
  EXPECT_EQ(decode_occupancy(payload_of(reading), false), reading) << "not measured is not 0";
}

TEST(Occupancy, RidesInASampleOfItsEvent) {
  EventDescription event = occupancy_event(7);
  EXPECT_TRUE(is_occupancy_event(event));
  std::vector<std::byte> payload;
  Sample sample = occupancy_sample(example(), payload);
  sample.pid = 42;
  ByteWriter out;
  encode_sample(event.attr, sample, out);
  Result<Sample> read = decode_sample(event.attr, out.bytes(), false);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->pid, 42u);
  EXPECT_EQ(read->period, uint64_t{5 << 20});
  EXPECT_EQ(decode_occupancy(read->raw, false), example());
}

TEST(Occupancy, ADamagedPayloadIsNone) {
  std::vector<std::byte> payload = payload_of(example());
  for (size_t bytes = 0; bytes < payload.size(); ++bytes)
    EXPECT_EQ(decode_occupancy(Bytes(payload).first(bytes), false), std::nullopt);
  payload[0] = std::byte{0};
  EXPECT_EQ(decode_occupancy(payload, false), std::nullopt);
}

TEST(Occupancy, LongNamesAreCut) {
  OccupancyReading reading = example();
  reading.name.assign(10000, 'x');
  EXPECT_EQ(decode_occupancy(payload_of(reading), false)->name, std::string(kMaxOccupancyName, 'x'));
}

}  // namespace
}  // namespace hm::record
