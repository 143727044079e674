// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/engine_folder.h"

#include <filesystem>

#include "base/installation.h"

namespace hm::soft {

Result<std::string> engine_folder(const char* file) {
  Result<std::filesystem::path> installed = installation_folder();
  if (!installed) return installed.error();
  auto folder = *installed / "libexec" / "hardmeter";
  std::error_code error;
  if (!std::filesystem::exists(folder / file, error)) {
    return make_error(ErrorCode::kUnsupported,
                      "the software PMU's engine {} is missing: build or install hardmeter again",
                      (folder / file).string());
  }
  return folder.string();
}

}  // namespace hm::soft
