// SPDX-License-Identifier: MIT
#include "app/measure/jit_names.h"

#include <cstdlib>
#include <string>

namespace hm::measure {
namespace {

struct Variable {
  const char* name;
  const char* words;
  bool is_list;  // the variable may hold several words
};

// node(1); "The java Command", JDK_JAVA_OPTIONS; "Python support for the Linux perf profiler"; "Environment
// variables for .NET"; erl(1).
constexpr Variable kVariables[] = {
    {"NODE_OPTIONS", "--perf-basic-prof", true},
    {"JDK_JAVA_OPTIONS", "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit", true},
    {"PYTHONPERFSUPPORT", "1", false},
    {"DOTNET_PerfMapEnabled", "1", false},
    {"ERL_FLAGS", "+JPperf true", true},
};

}  // namespace

void request_jit_names() {
  for (const Variable& variable : kVariables) {
    const char* before = std::getenv(variable.name);
    bool is_set = before != nullptr && *before != '\0';
    if (is_set && !variable.is_list) continue;
    std::string words = is_set ? std::string(before) + " " : "";
    ::setenv(variable.name, (words + variable.words).c_str(), 1);
  }
}

}  // namespace hm::measure
