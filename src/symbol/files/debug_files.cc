// SPDX-License-Identifier: MIT
#include "symbol/files/debug_files.h"

namespace hm::symbol {

DebugFiles::DebugFiles() : DebugFiles(Options()) {}

DebugFiles::DebugFiles(const Options& options)
    : root_(options.root), path_(":.debug:" + root_.string()), servers_(options.patience) {}

DebugFiles& DebugFiles::usual() {
  static DebugFiles files;
  return files;
}

}  // namespace hm::symbol
