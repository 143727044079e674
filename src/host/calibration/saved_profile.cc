// SPDX-License-Identifier: MIT
#include "host/calibration/saved_profile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/cpu_identity.h"
#include "base/text_file.h"
#include "base/write_text.h"
#include "host/calibration/profile_json.h"

namespace hm::host {
namespace {

constexpr size_t kLongestProfile = size_t{1} << 20;

}  // namespace

std::string saved_profile_path() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config != '\0') return fmt::format("{}/hardmeter/machine.json", config);
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return fmt::format("{}/.config/hardmeter/machine.json", home);
  return {};
}

Status save_profile(const MachineProfile& profile, const std::string& path) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) return make_error(ErrorCode::kIo, "cannot create {}: {}", folder.string(), error.message());
  std::string unfinished = fmt::format("{}.{}", path, ::getpid());
  Status written = write_text(unfinished, indented_json(to_json(profile)), 0644);
  if (written && ::rename(unfinished.c_str(), path.c_str()) != 0)
    written = make_error(ErrorCode::kIo, "cannot write {}: {}", path, errno_text(errno));
  if (!written) ::unlink(unfinished.c_str());
  return written;
}

Result<MachineProfile> read_profile(const std::string& path) {
  std::optional<std::string> text = read_text(path, kLongestProfile);
  if (!text) {
    ErrorCode code = errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo;
    return make_error(code, "{}: {}", path, errno_text(errno));
  }
  Result<MachineProfile> profile = machine_profile_in(*text);
  if (!profile) return make_error(profile.error().code, "{}: {}", path, profile.error().message);
  return profile;
}

std::optional<std::string> mismatch(const MachineProfile& profile) {
  std::string here = cpu_identity().value_or("unknown");
  if (profile.cpu_id == here) return std::nullopt;
  return fmt::format("the machine profile is of another processor ({}, {}; here {}): run hardmeter calibrate",
                     profile.cpu_name, profile.cpu_id, here);
}

}  // namespace hm::host
