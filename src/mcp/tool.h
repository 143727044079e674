// SPDX-License-Identifier: MIT
// A tool of the Model Context Protocol: a description for the assistant, and a function.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mcp/arguments.h"
#include "web/page_recorder.h"

namespace hm::mcp {

struct Answer {
  std::vector<std::string> texts;
  std::string json;  // an object; empty if the result has no fields
};

struct Call {
  const Arguments& arguments;
  web::Recorder& recorder;
  // True if the result is no longer wanted, or the client has gone: a measurement should end.
  const std::atomic<bool>& ends;
  // Reports progress: seconds since the begin, and a sentence.
  std::function<void(double seconds, const std::string& sentence)> progress;
};

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::vector<Argument> arguments;
  bool runs_programs = false;  // it runs or measures programs; otherwise it only reads files
  // A failure is an error of the tool, which the assistant can read.
  Result<Answer> (*call)(const Call& call) = nullptr;
};

// Returns all tools.
[[nodiscard]] const std::vector<Tool>& all_tools();

}  // namespace hm::mcp
