// SPDX-License-Identifier: MIT
// Starts the Valgrind engine: finds its files and builds its command line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pmu/soft/launcher/engine.h"

namespace hm::soft {

class ValgrindEngine final : public Engine {
 public:
  // `launcher`: the distribution's `valgrind`. `folder` holds hardmeter's tool and links to Valgrind's
  // support files (VALGRIND_LIB).
  ValgrindEngine(std::string launcher, std::string folder)
      : launcher_(std::move(launcher)), folder_(std::move(folder)) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] bool runs_unknown_natively() const override { return false; }
  [[nodiscard]] bool unwinds() const override { return true; }
  Result<pid_t> start(Session& session, const std::string& session_folder, const std::string& program,
                      const std::vector<std::string>& command,
                      const std::vector<std::string>& environment) override;

 private:
  std::string launcher_, folder_;
};

// Returns the Valgrind engine. Fails if it was not built, if Valgrind or the tool is missing, or if the tool
// was built for another version of Valgrind.
Result<std::unique_ptr<Engine>> find_valgrind_engine();

// Returns the Valgrind version that the tool was built for, for example "3.19.0"; empty if the tool was not
// built.
std::string built_valgrind_version();

}  // namespace hm::soft
