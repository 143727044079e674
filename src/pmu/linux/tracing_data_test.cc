// SPDX-License-Identifier: MIT
#include "pmu/linux/tracing_data.h"

#include <gtest/gtest.h>

#include <string_view>

#include "base/bytes.h"
#include "pmu/linux/fake_kernel.h"

namespace hm::linux_pmu {
namespace {

std::string name(ByteReader& in) {
  std::string text;
  for (uint8_t c = in.u8(); c != 0; c = in.u8()) text += static_cast<char>(c);
  return text;
}

std::string text(ByteReader& in, uint64_t size) {
  Bytes taken = in.take(size);
  return {reinterpret_cast<const char*>(taken.data()), taken.size()};
}

std::string file(ByteReader& in) {
  uint64_t size = in.u64();
  return text(in, size);
}

FakeKernel with_tracepoints() {
  FakeKernel kernel;
  kernel.folders["/sys/kernel/debug/tracing/events"] = {"sched", "syscalls"};
  const std::string root = "/sys/kernel/debug/tracing/";
  kernel.files[root + "events/header_page"] = "page";
  kernel.files[root + "events/header_event"] = "event";
  kernel.files[root + "events/sched/sched_switch/format"] = "switch";
  kernel.files[root + "events/sched/sched_wakeup/format"] = "wakeup";
  kernel.files[root + "printk_formats"] = "formats";
  return kernel;
}

// trace-cmd.dat(5), version 6: order and widths of the fields.
TEST(TracingData, HasEachTracepointOnceBelowItsSystem) {
  FakeKernel kernel = with_tracepoints();
  std::vector<std::byte> bytes =
      tracing_data(kernel, {"sched:sched_switch", "syscalls:sys_enter_gone", "sched:sched_wakeup"});
  ByteReader in(bytes);
  EXPECT_EQ(text(in, 10), "\x17\x08\x44tracing");
  EXPECT_EQ(name(in), "0.6");
  EXPECT_EQ(in.u8(), 0);  // little-endian
  EXPECT_EQ(in.u8(), sizeof(long));
  EXPECT_EQ(in.u32(), static_cast<uint32_t>(::sysconf(_SC_PAGESIZE)));
  EXPECT_EQ(name(in), "header_page");
  EXPECT_EQ(file(in), "page\n");
  EXPECT_EQ(name(in), "header_event");
  EXPECT_EQ(file(in), "event\n");
  EXPECT_EQ(in.u32(), 0u);
  ASSERT_EQ(in.u32(), 2u);
  EXPECT_EQ(name(in), "sched");
  ASSERT_EQ(in.u32(), 2u);
  EXPECT_EQ(file(in), "switch\n");
  EXPECT_EQ(file(in), "wakeup\n");
  EXPECT_EQ(name(in), "syscalls");
  ASSERT_EQ(in.u32(), 1u);
  EXPECT_EQ(file(in), "");  // unreadable
  EXPECT_EQ(in.u32(), 0u);
  uint32_t formats = in.u32();
  EXPECT_EQ(text(in, formats), "formats");
  EXPECT_EQ(in.u64(), 0u);
  EXPECT_EQ(in.remaining(), 0u);
}

TEST(TracingData, IsNowhereWhereTheKernelShowsNone) {
  FakeKernel kernel;
  EXPECT_EQ(tracing_folder(kernel), "");
  FakeKernel shown = with_tracepoints();
  EXPECT_EQ(tracing_folder(shown), "/sys/kernel/debug/tracing");
}

}  // namespace
}  // namespace hm::linux_pmu
