// SPDX-License-Identifier: MIT
#include "base/program_path.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace hm {
namespace {

std::optional<std::string> search_path(const std::string& name) {
  for (const std::string& folder : path_folders()) {
    std::string candidate = fmt::format("{}/{}", folder, name);
    struct stat status {};
    if (::stat(candidate.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
        ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> path_folders() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  std::vector<std::string> folders;
  while (true) {
    size_t colon = rest.find(':');
    std::string_view folder = rest.substr(0, colon);
    folders.emplace_back(folder.empty() ? "." : folder);
    if (colon == std::string_view::npos) return folders;
    rest.remove_prefix(colon + 1);
  }
}

Result<std::string> find_program(const std::string& name) {
  std::string path = name;
  if (name.find('/') == std::string::npos) {
    auto found = search_path(name);
    if (!found)
      return make_error(ErrorCode::kNotFound, "cannot run '{}': there is no such program in PATH", name);
    path = *found;
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return make_error(ErrorCode::kNotFound, "cannot run '{}': {}", name, errno_text(errno));
  }
  if (S_ISDIR(status.st_mode))
    return make_error(ErrorCode::kInvalidArgument, "cannot run '{}': it is a folder", name);
  if (::access(path.c_str(), X_OK) != 0) {
    return make_error(ErrorCode::kPermission, "cannot run '{}': it is not executable (chmod +x makes it so)",
                      name);
  }
  return path;
}

}  // namespace hm
