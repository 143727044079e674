// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/guest_snapshot.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "pmu/soft/guest/hypercall.h"

namespace hm::soft {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "guest-";
// Snapshots have 50 to 100 MB each.
constexpr size_t kMostKept = 3;
constexpr uintmax_t kMustBeFree = uintmax_t{1} << 30;
// A state is saved in seconds; what is older was left by a program that was killed.
constexpr auto kLongestSave = std::chrono::hours(1);

// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv).
uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3;
  return hash;
}

bool copy_tables_between(const std::string& from, const std::string& to) {
  return std::ranges::all_of(guest::kTableNames, [&](const char* name) {
    std::error_code error;
    bool is_there = fs::exists(fs::path(from) / name, error);  // a kernel may lack one
    return !is_there || fs::copy_file(fs::path(from) / name, fs::path(to) / name,
                                      fs::copy_options::overwrite_existing, error);
  });
}

struct Kept {
  fs::path path;
  fs::file_time_type used;
};

// A state of somebody else could be made to attack QEMU.
bool is_own(const std::string& path) {
  struct stat status {};
  constexpr mode_t kOthersMayWrite = S_IWGRP | S_IWOTH;
  return ::lstat(path.c_str(), &status) == 0 && status.st_uid == ::geteuid() &&
         (status.st_mode & kOthersMayWrite) == 0;
}

// A snapshot that is being saved has its process in its name: guest-KEY.PID.
bool is_unfinished(const fs::path& path) { return path.filename().string().find('.') != std::string::npos; }

std::vector<Kept> snapshots_in(const fs::path& folder) {
  std::vector<Kept> found;
  std::error_code error;
  for (const auto& each : fs::directory_iterator(folder, error)) {
    if (!each.path().filename().string().starts_with(kPrefix)) continue;
    found.push_back({each.path(), fs::last_write_time(each.path(), error)});
  }
  return found;
}

void remove_old(const fs::path& folder) {
  std::vector<Kept> found = snapshots_in(folder);
  std::ranges::sort(found, [](const Kept& a, const Kept& b) { return a.used > b.used; });
  size_t kept = 0;
  std::error_code error;
  for (const Kept& each : found) {
    bool is_old = is_unfinished(each.path) ? fs::file_time_type::clock::now() - each.used > kLongestSave
                                           : ++kept > kMostKept;
    if (is_old) fs::remove_all(each.path, error);
  }
}

}  // namespace

std::string snapshot_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fmt::format("{}/hardmeter", cache);
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return fmt::format("{}/.cache/hardmeter", home);
  return {};
}

GuestSnapshot::GuestSnapshot(const std::string& folder, const std::string& machine) {
  if (folder.empty()) return;
  path_ = fmt::format("{}/{}{:016x}", folder, kPrefix, hash_of(machine));
  unfinished_ = fmt::format("{}.{}", path_, ::getpid());
}

bool GuestSnapshot::exists() const {
  if (!can_be_saved() || !is_own(path_) || !is_own(state())) return false;
  std::error_code error;
  fs::last_write_time(path_, fs::file_time_type::clock::now(), error);
  return true;
}

bool GuestSnapshot::copy_tables(const std::string& session_folder) const {
  return copy_tables_between(path_, session_folder);
}

std::string GuestSnapshot::begin() const {
  std::error_code error;
  fs::path folder = fs::path(path_).parent_path();
  fs::create_directories(folder, error);
  if (fs::space(folder, error).available < kMustBeFree || error) return {};
  // The memory of a guest that has read no file of the host is no secret, but nobody else may change it.
  if (::mkdir(unfinished_.c_str(), 0700) != 0) return {};
  return unfinished_ + "/state";
}

void GuestSnapshot::keep(const std::string& session_folder) const {
  std::error_code error;
  fs::remove_all(path_, error);
  bool is_kept =
      copy_tables_between(session_folder, unfinished_) && ::rename(unfinished_.c_str(), path_.c_str()) == 0;
  if (!is_kept) return give_up();
  remove_old(fs::path(path_).parent_path());
}

void GuestSnapshot::give_up() const {
  std::error_code error;
  if (!unfinished_.empty()) fs::remove_all(unfinished_, error);
}

void GuestSnapshot::remove() const {
  std::error_code error;
  if (can_be_saved()) fs::remove_all(path_, error);
}

}  // namespace hm::soft
