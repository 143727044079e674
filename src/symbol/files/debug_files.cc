// SPDX-License-Identifier: MIT
#include "symbol/files/debug_files.h"

namespace hm::symbol {

DebugFiles::DebugFiles() : DebugFiles(Options()) {}

DebugFiles::DebugFiles(const Options& options)
    : root_(options.root), path_(":.debug:" + root_.string()), servers_(options.patience) {}

std::string DebugFiles::file_of_build(const std::string& build_id) {
  constexpr size_t kShortest = 4, kLongest = 128;  // digits
  bool is_one = build_id.size() >= kShortest && build_id.size() <= kLongest &&
                build_id.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_one) return {};
  std::filesystem::path local = root_ / ".build-id" / build_id.substr(0, 2) / (build_id.substr(2) + ".debug");
  std::error_code error;
  return std::filesystem::exists(local, error) ? local.string() : servers_.fetch(build_id);
}

DebugFiles& DebugFiles::usual() {
  static DebugFiles files;
  return files;
}

}  // namespace hm::symbol
