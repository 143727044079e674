// SPDX-License-Identifier: MIT
// How the copying engine is started: the command is run as it is, stopped at its first instruction, and taken
// over.
#pragma once

#include "pmu/soft/launcher/engine.h"
#include "pmu/soft/launcher/injector.h"

namespace hm::soft {

class DirectEngine final : public Engine {
 public:
  explicit DirectEngine(EngineImage image) : image_(std::move(image)) {}

  [[nodiscard]] std::string name() const override { return "copying engine"; }
  Result<pid_t> start(const Session& session, const std::string& session_folder, const std::string& program,
                      const std::vector<std::string>& command) override;

 private:
  EngineImage image_;
};

// The engine on this machine, or why it cannot run.
Result<std::unique_ptr<Engine>> find_direct_engine();

}  // namespace hm::soft
