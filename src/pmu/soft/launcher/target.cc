// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/target.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/program_path.h"
#include "base/unique_fd.h"

namespace hm::soft {
namespace {

bool changes_user(const std::string& path, const struct stat& status) {
  if ((status.st_mode & (S_ISUID | S_ISGID)) != 0) return true;
  return ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

// Returns the reason why this ELF file cannot run under the engine; nullopt if it can run or is no ELF file.
std::optional<std::string> elf_obstacle(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<unsigned char, 20> head{};
  if (!fd.valid() || ::read(fd.get(), head.data(), head.size()) != static_cast<ssize_t>(head.size()))
    return {};
  if (std::memcmp(head.data(), ELFMAG, SELFMAG) != 0) return {};
  if (head[EI_CLASS] == ELFCLASS32)
    return "is a 32-bit program; the software PMU runs 64-bit x86 programs only";
  int machine = head[18] | head[19] << 8;
  if (machine != EM_X86_64) return "is not an x86-64 program; the software PMU runs no other";
  return {};
}

}  // namespace

Result<std::string> resolve_target(const std::string& name) {
  Result<std::string> found = find_program(name);
  if (!found) return found.error();
  const std::string& path = *found;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    return make_error(ErrorCode::kNotFound, "cannot run '{}': {}", name, errno_text(errno));
  if (changes_user(path, status)) {
    return make_error(
        ErrorCode::kUnsupported,
        "cannot profile '{}': it is set-uid or has capabilities, which an instrumented program would lose; profile as the user it changes to, or a copy without them",
        name);
  }
  if (auto obstacle = elf_obstacle(path))
    return make_error(ErrorCode::kUnsupported, "cannot profile '{}': it {}", name, *obstacle);
  return path;
}

std::vector<std::string> privileged_programs() {
  std::vector<std::string> found;
  for (const std::string& folder : path_folders()) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
      struct stat status {};
      if (::stat(entry.path().c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
          (status.st_mode & (S_ISUID | S_ISGID)) != 0) {
        found.push_back(entry.path());
      }
    }
  }
  return found;
}

}  // namespace hm::soft
