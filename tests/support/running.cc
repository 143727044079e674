// SPDX-License-Identifier: MIT
#include "running.h"
#include "support/paths.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

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

std::string& engine_name() {
  const char* chosen = std::getenv("HARDMETER_TEST_ENGINE");
  static std::string name = chosen == nullptr ? "valgrind" : chosen;
  return name;
}

}  // namespace

const std::string& engine() { return engine_name(); }
void choose_engine(const std::string& name) { engine_name() = name; }

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

Outcome run(const Words& command) {
  TemporaryFolder folder;
  std::string out = folder.file("out");
  std::string err = folder.file("err");
  pid_t child = ::fork();
  if (child == 0) become(command, out, err);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return {};
  int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return {code, contents(out), contents(err)};
}

Words soft_pmu() { return {"--pmu=soft", "--engine=" + engine()}; }

Outcome hardmeter(const Words& arguments) { return run(Words{test_paths::kHardmeter} + arguments); }

std::string program(const std::string& name) { return std::string(test_paths::kPrograms) + "/" + name; }
std::string example(const std::string& name) { return std::string(test_paths::kExamples) + "/" + name; }

bool installed(const std::string& command) { return run({"sh", "-c", "command -v " + command}).status == 0; }

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "hardmeter-test-XXXXXX").string();
  if (::mkdtemp(name.data()) != nullptr) path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace hm::soft_pmu_test
