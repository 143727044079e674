// SPDX-License-Identifier: MIT
#include "profile/interpreters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace hm::profile {
namespace {

struct Runtime {
  std::string_view object;  // name or prefix of the name of a mapped file
  std::string_view name;
  std::string_view how;
};

// How to make each runtime write /tmp/perf-PID.map: node(1); java(1), JDK 17; .NET's DOTNET_PerfMapEnabled;
// erl(1). LuaJIT and others have no option for it.
constexpr Runtime kRuntimes[] = {
    {"node", "Node.js", "run it with --perf-basic-prof"},
    {"libnode.so", "Node.js", "run it with --perf-basic-prof"},
    {"libjvm.so", "the JVM", "run it with -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit"},
    {"libcoreclr.so", ".NET", "set DOTNET_PerfMapEnabled=1"},
    {"beam.smp", "Erlang", "run it with +JPperf true"},
    {"python3", "Python", "run it with -X perf"},
    {"libpython3", "Python", "run it with -X perf"},
};

bool is_mapped(const Profile& profile, std::string_view object) {
  return std::ranges::any_of(profile.dsos, [&](const DsoRow& dso) { return dso.name().starts_with(object); });
}

std::string compiled_sentence(const Profile& profile, uint64_t samples) {
  for (const Runtime& runtime : kRuntimes) {
    if (is_mapped(profile, runtime.object))
      return fmt::format(
          "{} of {} samples are in code that {} compiled at run time without recording names: {}, or record with --jit-names",
          samples, profile.samples.size(), runtime.name, runtime.how);
  }
  return fmt::format(
      "{} of {} samples are in code that was generated at run time without names: its compiler has to write /tmp/perf-PID.map or a jitdump file",
      samples, profile.samples.size());
}

// Returns 11 for "python3.11" or "libpython3.11.so.1.0"; 0 for a name without a version of Python.
unsigned python_minor(std::string_view object) {
  size_t at = object.find("python3.");
  if (at == std::string_view::npos) return 0;
  object.remove_prefix(at + std::string_view("python3.").size());
  unsigned minor = 0;
  std::from_chars(object.data(), object.data() + object.size(), minor);
  return minor;
}

constexpr std::string_view kPythonLoop = "_PyEval_EvalFrameDefault";
constexpr unsigned kFirstWithPerf = 12;

// With --jit-names, Python's functions are callers of its interpreter.
std::string python_advice(const Profile& profile, unsigned minor) {
  if (minor < kFirstWithPerf) return "-X perf works from Python 3.12 on; this is 3." + std::to_string(minor);
  bool has_asked = std::ranges::count(profile.features.cmdline, "--jit-names") != 0;
  return has_asked ? "record its callers, too (-g)" : "run it with -X perf, or record with --jit-names";
}

std::string python_sentence(uint64_t samples, const std::string& how) {
  return fmt::format("{} samples are in {}, Python's interpreter, without the names of Python functions: {}",
                     samples, kPythonLoop, how);
}

// True for a function that only its address names: "[server+0x1000]".
bool is_stripped(const DsoRow& dso, const FunctionRow& function) {
  std::string_view name = function.name;
  return name.starts_with('[') && name.substr(1).starts_with(dso.name()) &&
         name.substr(1 + dso.name().size()).starts_with("+0x");
}

// Empty if few samples are without a name.
std::string stripped_sentence(const Profile& profile) {
  constexpr uint64_t kFewest = 10;
  constexpr double kNotable = 0.1;
  std::vector<uint64_t> samples(profile.dsos.size());
  for (uint32_t row : profile.samples.location) {
    const Location& location = profile.locations[row];
    if (is_stripped(profile.dsos[location.dso], profile.functions[location.function]))
      ++samples[location.dso];
  }
  if (samples.empty()) return {};
  auto most = std::ranges::max_element(samples);
  if (*most < kFewest || static_cast<double>(*most) < kNotable * static_cast<double>(profile.samples.size()))
    return {};
  const DsoRow& dso = profile.dsos[static_cast<size_t>(most - samples.begin())];
  std::string build = dso.build_id.empty() ? "" : fmt::format(" of build {}", dso.build_id);
  return fmt::format(
      "{} of {} samples are in functions of {} whose names are stripped: the package with its debug symbols{} gives them (on Debian and Ubuntu -dbgsym or -dbg, elsewhere -debuginfo), or a server in DEBUGINFOD_URLS",
      *most, profile.samples.size(), dso.name(), build);
}

}  // namespace

std::vector<std::string> missing_names(const Profile& profile) {
  uint64_t compiled = 0, interpreted = 0;
  unsigned minor = 0;
  // Callers have locations, too.
  bool has_jit_names = std::ranges::any_of(
      profile.locations, [&](const Location& location) { return profile.dsos[location.dso].is_named_jit(); });
  for (uint32_t row : profile.samples.location) {
    const Location& location = profile.locations[row];
    const DsoRow& dso = profile.dsos[location.dso];
    if (dso.is_unnamed_jit) ++compiled;
    if (profile.functions[location.function].name != kPythonLoop) continue;
    ++interpreted;
    minor = std::max(minor, python_minor(dso.name()));
  }
  std::vector<std::string> sentences;
  if (compiled != 0) sentences.push_back(compiled_sentence(profile, compiled));
  if (interpreted != 0 && minor != 0 && !has_jit_names)
    sentences.push_back(python_sentence(interpreted, python_advice(profile, minor)));
  if (std::string stripped = stripped_sentence(profile); !stripped.empty())
    sentences.push_back(std::move(stripped));
  return sentences;
}

}  // namespace hm::profile
