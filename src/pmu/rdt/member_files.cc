// SPDX-License-Identifier: MIT
#include "pmu/rdt/member_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace hm::rdt {
namespace {

UniqueFd open_to_write(const std::string& path) {
  return UniqueFd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
}

ErrorCode code_of_write(int error_number) {
  if (error_number == ESRCH) return ErrorCode::kNotFound;
  if (error_number == EINVAL) return ErrorCode::kInvalidArgument;
  bool is_denied = error_number == EACCES || error_number == EPERM || error_number == EROFS;
  return is_denied ? ErrorCode::kPermission : ErrorCode::kIo;
}

// resctrl accepts or refuses each write(2) as a whole line.
int write_word(int file, const std::string& word) {
  ssize_t bytes = 0;
  do bytes = ::write(file, word.data(), word.size());
  while (bytes < 0 && errno == EINTR);
  return bytes < 0 ? errno : 0;
}

}  // namespace

Status ThreadsFile::add(pid_t thread) {
  if (!file_.valid()) file_ = open_to_write(path_);
  if (!file_.valid()) return make_error(code_of_write(errno), "cannot open {}: {}", path_, errno_text(errno));
  int error = write_word(file_.get(), std::to_string(thread));
  if (error == 0) return {};
  if (error == ESRCH) return make_error(ErrorCode::kNotFound, "thread {} has ended", thread);
  return make_error(code_of_write(error), "cannot write thread {} to {}: {}", thread, path_,
                    errno_text(error));
}

Status write_cpus(const std::string& group, const std::vector<uint32_t>& cpus) {
  std::string path = group + "/cpus_list", list;
  for (uint32_t cpu : cpus) list += (list.empty() ? "" : ",") + std::to_string(cpu);
  UniqueFd file = open_to_write(path);
  int error = file.valid() ? write_word(file.get(), list + '\n') : errno;
  if (error == 0) return {};
  return make_error(code_of_write(error), "cannot write CPUs {} to {}: {}", list, path, errno_text(error));
}

}  // namespace hm::rdt
