// SPDX-License-Identifier: MIT
#include "base/cpu_time.h"

namespace hm {
namespace {

uint64_t nanoseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_usec) * 1000;
}

uint64_t growth(uint64_t before, uint64_t now) { return now < before ? 0 : now - before; }

}  // namespace

CpuTime& CpuTime::operator+=(const CpuTime& more) {
  user_ns += more.user_ns;
  kernel_ns += more.kernel_ns;
  return *this;
}

CpuTime growth(const CpuTime& before, const CpuTime& now) {
  return {growth(before.user_ns, now.user_ns), growth(before.kernel_ns, now.kernel_ns)};
}

CpuTime cpu_time_of(const rusage& usage) {
  return {nanoseconds(usage.ru_utime), nanoseconds(usage.ru_stime)};
}

}  // namespace hm
