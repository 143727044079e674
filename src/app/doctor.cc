// SPDX-License-Identifier: MIT
#include "app/doctor.h"

#include <cpuid.h>
#include <linux/perf_event.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "base/unique_fd.h"
#include "pmu/soft/geometry/geometry.h"
#include "pmu/soft/launcher/session_folder.h"
#include "pmu/soft/launcher/target.h"
#include "pmu/soft/launcher/valgrind_engine.h"

namespace hm::app {
namespace {

Finding find_engine() {
  auto engine = soft::find_valgrind_engine();
  if (!engine) return {"software PMU", Health::kMissing, "cannot run", engine.error().message, true};
  return {"software PMU", Health::kGood,
          fmt::format("Valgrind {} ({}), engine in {}", soft::built_valgrind_version(), engine->launcher,
                      engine->folder),
          "", true};
}

// A ring holds a process's records until the recorder takes them.
Finding find_shared_memory() {
  constexpr uint64_t kComfortableBytes = uint64_t{64} << 20;
  Finding finding{"shared memory", Health::kGood, "", "", true};
  auto folder = soft::SessionFolder::create(soft::Session{});
  if (!folder) {
    finding.health = Health::kMissing;
    finding.found = folder.error().message;
    finding.advice = "make /dev/shm writable";
    return finding;
  }
  struct statvfs space {};
  if (::statvfs(folder->path().c_str(), &space) != 0) {
    finding.found = "usable, of unknown size";
    return finding;
  }
  uint64_t free_bytes = uint64_t{space.f_bavail} * space.f_frsize;
  finding.found = fmt::format("{} MiB free in {}", free_bytes >> 20,
                              std::filesystem::path(folder->path()).parent_path().string());
  if (free_bytes < kComfortableBytes) {
    finding.health = Health::kMissing;
    finding.advice = "each process needs about 2 MiB; give /dev/shm 64 MiB or more";
  }
  return finding;
}

// CPUID leaf 1, ECX bit 31: reserved for hypervisors to set (Intel SDM volume 2, AMD APM volume 3).
bool is_guest() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx >> 31 & 1) != 0;
}

Finding find_hardware_pmu() {
  perf_event_attr attr{};
  attr.size = sizeof(attr);
  attr.type = PERF_TYPE_HARDWARE;
  attr.config = PERF_COUNT_HW_CPU_CYCLES;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.disabled = 1;
  UniqueFd fd(static_cast<int>(::syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  int error = errno;
  const char* where = is_guest() ? "a virtual machine" : "the host itself";
  if (fd.valid()) return {"hardware PMU", Health::kGood, fmt::format("counts cycles; this is {}", where), ""};
  std::string found = fmt::format("none for us: {}; this is {}", errno_text(error), where);
  bool forbidden = error == EACCES || error == EPERM;
  return {"hardware PMU", Health::kMissing, std::move(found),
          forbidden    ? "lower kernel.perf_event_paranoid or ask for CAP_PERFMON"
          : is_guest() ? "ask the host to pass its PMU on; the software PMU works without"
                       : "the software PMU works without"};
}

Finding find_paranoia() {
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  int level = 0;
  if (!(file >> level)) {
    return {"perf_event_paranoid", Health::kMissing, "the kernel has no perf events",
            "only the software PMU works here"};
  }
  bool allowed =
      level <= 2 || ::geteuid() == 0;  // Documentation/admin-guide/sysctl/kernel.rst; 3 is Debian's own
  return {"perf_event_paranoid", allowed ? Health::kGood : Health::kMissing, fmt::format("{}", level),
          allowed ? "" : "sysctl kernel.perf_event_paranoid=2 lets users count their own programs"};
}

Finding find_geometry() {
  std::string assumed;
  std::string machine = soft::describe(soft::host_geometry(&assumed));
  return {"modelled machine", Health::kNote, machine + (assumed.empty() ? "" : " (" + assumed + ")"),
          assumed.empty() ? "" : "--cpu NAME models another; --dtlb and others say more exactly"};
}

Finding find_debug_files() {
  const char* folder = "/usr/lib/debug";
  std::error_code ignored;
  bool there = std::filesystem::exists(std::filesystem::path(folder) / ".build-id", ignored);
  return {"debug files", Health::kNote, there ? folder : fmt::format("none in {}", folder),
          there ? "" : "packages -dbgsym bring the lines of system libraries"};
}

Finding find_perf() {
  auto perf = soft::resolve_target("perf");
  if (perf) return {"perf", Health::kGood, *perf + " (it reads our recordings, and we read its)", ""};
  return {"perf", Health::kNote, "not installed", "not needed; apt install linux-perf brings it"};
}

}  // namespace

bool Diagnosis::can_record() const {
  return std::ranges::none_of(
      findings, [](const Finding& each) { return each.needed && each.health == Health::kMissing; });
}

Diagnosis diagnose() {
  return {{find_engine(), find_shared_memory(), find_geometry(), find_hardware_pmu(), find_paranoia(),
           find_debug_files(), find_perf()}};
}

}  // namespace hm::app
