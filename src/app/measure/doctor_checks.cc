// SPDX-License-Identifier: MIT
#include "app/measure/doctor_checks.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/measure/doctor_findings.h"
#include "pmu/soft/geometry/geometry.h"
#include "pmu/soft/launcher/direct_engine.h"
#include "pmu/soft/launcher/engine_choice.h"
#include "pmu/soft/launcher/session_folder.h"
#include "pmu/soft/launcher/target.h"
#include "pmu/soft/launcher/valgrind_engine.h"

namespace hm::measure {
namespace {

// Reports the engine that `record` uses by default.
Finding find_soft_pmu() {
  auto engine = soft::choose_engine(soft::EngineWish::kAuto);
  if (!engine) return {"software PMU", Health::kMissing, "cannot run", engine.error().message, true};
  return {"software PMU", Health::kGood, (*engine)->name(), "", true};
}

Finding find_copying_engine() {
  auto engine = soft::find_direct_engine();
  Finding finding{"copying engine", Health::kMissing, "cannot run", "", false};
  if (!engine) {
    finding.advice = engine.error().message;
  } else if (Status traced = soft::try_tracing(); !traced) {
    finding.advice = traced.error().message;
  } else {
    finding.health = Health::kGood;
    finding.found = "installed, and ptrace works (--engine=direct)";
  }
  return finding;
}

Finding find_valgrind() {
  auto engine = soft::find_valgrind_engine();
  if (!engine) return {"Valgrind engine", Health::kNote, "cannot run", engine.error().message};
  return {"Valgrind engine", Health::kGood, (*engine)->name() + " (--engine=valgrind)", ""};
}

// A ring buffer in shared memory holds a process's records until the recorder reads them.
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
                              std::filesystem::path(folder->path()).parent_path().parent_path().string());
  if (free_bytes < kComfortableBytes) {
    finding.health = Health::kMissing;
    finding.advice = "each process needs about 2 MiB; give /dev/shm 64 MiB or more";
  }
  return finding;
}

Finding find_geometry() {
  std::string assumed;
  std::string machine = soft::describe(soft::host_geometry(&assumed));
  return {"modelled machine", Health::kNote, machine + (assumed.empty() ? "" : " (" + assumed + ")"),
          assumed.empty() ? "" : "--cpu NAME models another; --dtlb and other options set single sizes"};
}

Finding find_debug_files() {
  const char* folder = "/usr/lib/debug";
  std::error_code ignored;
  bool there = std::filesystem::exists(std::filesystem::path(folder) / ".build-id", ignored);
  std::string found = there ? folder : fmt::format("none in {}", folder);
  const char* servers = std::getenv("DEBUGINFOD_URLS");
  bool has_servers = servers != nullptr && *servers != '\0';
  if (has_servers) found += fmt::format(", then from DEBUGINFOD_URLS ({})", servers);
  return {"debug files", Health::kNote, found,
          there || has_servers
              ? ""
              : "install -dbgsym packages or set DEBUGINFOD_URLS for names and lines of system libraries"};
}

Finding find_perf() {
  auto perf = soft::resolve_target("perf");
  if (perf) return {"perf", Health::kGood, *perf + " (perf and hardmeter read each other's recordings)", ""};
  return {"perf", Health::kNote, "not installed", "not needed; apt install linux-perf installs it"};
}

}  // namespace

Diagnosis diagnose() {
  Diagnosis diagnosis{
      {find_soft_pmu(), find_copying_engine(), find_valgrind(), find_shared_memory(), find_geometry()}};
  std::ranges::move(hardware_findings(linux_pmu::this_kernel()), std::back_inserter(diagnosis.findings));
  diagnosis.findings.push_back(find_cache_monitoring());
  diagnosis.findings.push_back(find_debug_files());
  diagnosis.findings.push_back(find_perf());
  return diagnosis;
}

}  // namespace hm::measure
