// SPDX-License-Identifier: MIT
#include "record/attr.h"

#include <gtest/gtest.h>

#include <cstring>

#include "record/example_recording.h"

namespace hm::record {
namespace {

std::vector<std::byte> stored(const perf_event_attr& attr, uint32_t size) {
  std::vector<std::byte> bytes(size, std::byte{0xee});
  std::memcpy(bytes.data(), &attr, std::min<size_t>(size, sizeof attr));
  std::memcpy(bytes.data() + sizeof(uint32_t), &size, sizeof size);
  return bytes;
}

perf_event_attr full_attr() {
  perf_event_attr attr = example::event("", 3, 1, PERF_SAMPLE_IP).attr;
  attr.precise_ip = 2;
  attr.clockid = 1;
  attr.aux_sample_size = 5;
  attr.sig_data = 6;
  return attr;
}

TEST(Attr, OfThisAgeComesBack) {
  perf_event_attr attr = full_attr();
  auto read = decode_attr(stored(attr, sizeof attr), false);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(std::memcmp(&*read, &attr, sizeof attr), 0);
}

TEST(Attr, ANewerOneLosesItsTail) {
  perf_event_attr attr = full_attr();
  for (uint32_t size : {136u, 144u, 4096u}) {
    auto read = decode_attr(stored(attr, size), false);
    ASSERT_TRUE(read.ok()) << size;
    EXPECT_EQ(std::memcmp(&*read, &attr, sizeof attr), 0);
  }
}

TEST(Attr, AnOlderOneIsFilledWithZeros) {
  auto read = decode_attr(stored(full_attr(), PERF_ATTR_SIZE_VER1), false);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->config, 3u);
  EXPECT_EQ(read->precise_ip, 2u);
  EXPECT_EQ(read->branch_sample_type, 0u);
  EXPECT_EQ(read->sig_data, 0u);
  EXPECT_EQ(read->size, sizeof *read);
}

TEST(Attr, SizeZeroMeansTheFirstOne) {
  auto bytes = stored(full_attr(), PERF_ATTR_SIZE_VER0);
  std::memset(bytes.data() + sizeof(uint32_t), 0, sizeof(uint32_t));
  EXPECT_TRUE(decode_attr(bytes, false).ok());
}

TEST(Attr, ImpossibleSizesAreRefused) {
  for (size_t size : {0, 7, 8, 63}) EXPECT_FALSE(decode_attr(std::vector<std::byte>(size), false).ok());
  auto bytes = stored(full_attr(), 128);
  EXPECT_FALSE(decode_attr(Bytes(bytes).first(127), false).ok());
}

// On a big-endian machine, bit-fields begin at the highest bit.
TEST(Attr, OfABigEndianMachine) {
  ByteWriter out;
  out.u32(byte_swap(uint32_t{PERF_TYPE_HARDWARE}));
  out.u32(byte_swap(uint32_t{PERF_ATTR_SIZE_VER0}));
  for (uint64_t word : {7, 1000, 0x3, 0x4}) out.u64(byte_swap(word));
  uint64_t disabled = uint64_t{1} << 63;
  uint64_t precise_ip_one = uint64_t{1} << (64 - 17);
  uint64_t sample_id_all = uint64_t{1} << (63 - 18);
  out.u64(byte_swap(disabled | precise_ip_one | sample_id_all));
  out.pad_to(PERF_ATTR_SIZE_VER0);
  auto read = decode_attr(out.bytes(), true);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->config, 7u);
  EXPECT_EQ(read->sample_period, 1000u);
  EXPECT_EQ(read->sample_type, 3u);
  EXPECT_EQ(read->read_format, 4u);
  EXPECT_EQ(read->disabled, 1u);
  EXPECT_EQ(read->inherit, 0u);
  EXPECT_EQ(read->precise_ip, 1u);
  EXPECT_EQ(read->sample_id_all, 1u);
}

}  // namespace
}  // namespace hm::record
