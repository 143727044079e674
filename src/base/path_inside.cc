// SPDX-License-Identifier: MIT
#include "base/path_inside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <system_error>

#include "base/unique_fd.h"

namespace hm {

std::filesystem::path path_inside(const std::filesystem::path& root, const std::filesystem::path& path) {
  std::filesystem::path plain = root / path.relative_path();
  UniqueFd folder(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return plain;
  struct open_how how {};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  UniqueFd file(static_cast<int>(
      ::syscall(SYS_openat2, folder.get(), path.relative_path().c_str(), &how, sizeof(how))));
  if (!file.valid()) return plain;
  std::error_code error;
  std::filesystem::path found =
      std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", file.get()), error);
  return error ? plain : found;
}

}  // namespace hm
