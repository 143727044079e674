// SPDX-License-Identifier: MIT
#include "running.h"
#include "support/paths.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace hm::soft_pmu_test {
namespace {

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

[[noreturn]] void become(const Words& command, const std::string& out, const std::string& err) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
  ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

std::string& engine_name() {
  const char* chosen = std::getenv("HARDMETER_TEST_ENGINE");
  static std::string name = chosen == nullptr ? "valgrind" : chosen;
  return name;
}

}  // namespace

const std::string& engine() { return engine_name(); }
void choose_engine(const std::string& name) { engine_name() = name; }

bool is_built(const std::string& engine) {
  auto bin = std::filesystem::path(test_paths::kHardmeter).parent_path();
  return engine == "direct" || std::filesystem::exists(bin / "../libexec/hardmeter/hardmeter-amd64-linux");
}

Words words_of(const std::string& line) {
  std::istringstream in(line);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Running::Running(const Words& command) {
  process_ = ::fork();
  if (process_ == 0) become(command, out_, err_);
}

Running::~Running() {
  if (process_ > 0 && ::kill(process_, SIGKILL) == 0) ::waitpid(process_, nullptr, 0);
}

Outcome Running::outcome() {
  pid_t child = std::exchange(process_, -1);
  int status = 0;
  struct rusage used {};
  if (child < 0 || ::wait4(child, &status, 0, &used) != child) return {};
  std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return {code, contents(out_), contents(err_),
          seconds_of(used.ru_utime) + seconds_of(used.ru_stime) - passed.count()};
}

Outcome run(const Words& command) { return Running(command).outcome(); }

Words soft_pmu() {
  Words words{"--pmu=soft", "--engine=" + engine()};
  if (const char* cores = std::getenv("HARDMETER_TEST_CORES"))
    words.push_back(std::string("--cores=") + cores);
  return words;
}

Outcome hardmeter(const Words& arguments) { return run(Words{test_paths::kHardmeter} + arguments); }

std::string program(const std::string& name) { return std::string(test_paths::kPrograms) + "/" + name; }
std::string example(const std::string& name) { return std::string(test_paths::kExamples) + "/" + name; }

bool processor_has(const std::string& flag) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags")) continue;
    Words flags = words_of(line);
    return std::ranges::find(flags, flag) != flags.end();
  }
  return false;
}

bool installed(const std::string& command) { return run({"sh", "-c", "command -v " + command}).status == 0; }

}  // namespace hm::soft_pmu_test
