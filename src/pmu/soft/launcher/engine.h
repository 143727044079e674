// SPDX-License-Identifier: MIT
// The seam behind which the software PMU's engines stand.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

class Engine {
 public:
  virtual ~Engine() = default;

  // As a user knows it, such as "Valgrind 3.19.0".
  [[nodiscard]] virtual std::string name() const = 0;

  // Starts the file `program` with the arguments `command`, as a child that writes to the session in
  // `session_folder`.
  virtual Result<pid_t> start(const Session& session, const std::string& session_folder,
                              const std::string& program, const std::vector<std::string>& command) = 0;
};

enum class EngineWish { kAuto, kDirect, kValgrind };

// The engine to run `program` with; an error tells why there is none.
Result<std::unique_ptr<Engine>> choose_engine(EngineWish wish);

}  // namespace hm::soft
