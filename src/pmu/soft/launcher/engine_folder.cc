// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/engine_folder.h"

#include <filesystem>

#include "base/proc_folder.h"

namespace hm::soft {

Result<std::string> engine_folder(const char* file) {
  if (Status there = check_proc(); !there) return there.error();
  std::error_code error;
  auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    return make_error(ErrorCode::kUnsupported, "cannot determine where hardmeter is installed: {}",
                      error.message());
  auto folder = program.parent_path().parent_path() / "libexec" / "hardmeter";
  if (!std::filesystem::exists(folder / file, error)) {
    return make_error(ErrorCode::kUnsupported,
                      "the software PMU's engine {} is missing: build or install hardmeter again",
                      (folder / file).string());
  }
  return folder.string();
}

}  // namespace hm::soft
