// SPDX-License-Identifier: MIT
// How the Valgrind engine is started: which files it takes and which command line.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

struct ValgrindEngine {
  std::string launcher;  // the distribution's `valgrind`
  std::string folder;    // holds our tool and links to Valgrind's support files: VALGRIND_LIB
};

// The engine on this machine, or why it cannot run: no Valgrind, another version than the tool was built
// with, no tool.
Result<ValgrindEngine> find_valgrind_engine();

// The version that the tool was built with, such as "3.19.0".
std::string built_valgrind_version();

// The whole command line that runs `target` under the engine for the session in `session_folder`.
std::vector<std::string> engine_command(const ValgrindEngine& engine, const Session& session,
                                        const std::string& session_folder,
                                        const std::vector<std::string>& target);

}  // namespace hm::soft
