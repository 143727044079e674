// SPDX-License-Identifier: MIT
#include "host/calibration/saved_profile.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/cpu_identity.h"
#include "base/text_file.h"
#include "base/unique_fd.h"
#include "host/calibration/profile_json.h"

namespace hm::host {
namespace {

constexpr size_t kLongestProfile = size_t{1} << 20;

Status write_whole(const std::string& path, std::string_view text) {
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.valid()) return make_error(ErrorCode::kIo, "cannot write {}: {}", path, errno_text(errno));
  while (!text.empty()) {
    ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return make_error(ErrorCode::kIo, "cannot write {}: {}", path, errno_text(errno));
    text.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

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
  Status written = write_whole(unfinished, indented_json(to_json(profile)));
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
