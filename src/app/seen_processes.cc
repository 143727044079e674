// SPDX-License-Identifier: MIT
#include "app/seen_processes.h"

#include "record/code_copies.h"
#include "record/file_builds.h"
#include "record/isolation.h"

namespace hm::app {

void SeenProcesses::see(const record::Record& record) {
  files_.see(record);
  if (!are_here_) return;
  isolation_.see(record);
  copies_.see(record);
}

std::string SeenProcesses::with_seen(std::string run) const {
  run = record::with_file_builds(run, files_.builds_of_same_path());
  run = record::with_isolation(run, isolation_.processes());
  return record::with_code_copies(run, copies_.copies());
}

}  // namespace hm::app
