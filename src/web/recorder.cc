// SPDX-License-Identifier: MIT
#include "web/recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <string_view>

#include "base/json.h"
#include "base/text_file.h"

namespace hm::web {
namespace {

using Value = nlohmann::json;

Error wrong(std::string_view what) {
  return make_error(ErrorCode::kInvalidArgument, "cannot record: {}", what);
}

// Returns whether the value is an argument of a command line. A NUL would truncate it.
bool is_word(const Value& value) {
  return value.is_string() && value.get_ref<const std::string&>().find('\0') == std::string::npos;
}
bool are_words(const Value& value) { return value.is_array() && std::ranges::all_of(value, is_word); }
bool are_pids(const Value& value) {
  return value.is_array() &&
         std::ranges::all_of(value, [](const Value& each) { return each.is_number_unsigned(); });
}
bool is_pmu(const Value& value) { return value == "auto" || value == "linux" || value == "soft"; }
bool is_flag(const Value& value) { return value.is_boolean(); }

struct Member {
  std::string_view name;
  bool (*is_right)(const Value& value);
  std::string_view kind;
};
constexpr Member kMembers[] = {
    {"command", are_words, "a list of words"}, {"pids", are_pids, "a list of numbers"},
    {"events", are_words, "a list of words"},  {"period", is_word, "a word"},
    {"pmu", is_pmu, "auto, linux or soft"},    {"user", is_flag, "true or false"},
    {"kernel", is_flag, "true or false"},      {"callers", is_flag, "true or false"},
    {"sizes", is_flag, "true or false"},       {"llc", is_flag, "true or false"}};

// Checks that each member is known and has the right type.
Status check_members(const Value& wish) {
  if (!wish.is_object()) return wrong("it is not a JSON object");
  for (const auto& [name, value] : wish.items()) {
    const auto* member = std::ranges::find(kMembers, name, &Member::name);
    if (member == std::end(kMembers)) return wrong(fmt::format("unknown member {}", name));
    if (!member->is_right(value)) return wrong(fmt::format("{} must be {}", name, member->kind));
  }
  return {};
}

// Each option and its value form one argument, so that no value can be taken for another option.
void add_sampling(const Value& wish, RecordWish& record) {
  std::vector<std::string>& options = record.options;
  std::string pmu = wish.value("pmu", ""), period = wish.value("period", "");
  if (!pmu.empty()) options.push_back("--pmu=" + pmu);
  if (!period.empty()) options.push_back("--count=" + period);
  bool user = wish.value("user", true), kernel = wish.value("kernel", true);
  if (user && !kernel) options.emplace_back("-u");
  if (kernel && !user) options.emplace_back("-k");
  if (wish.value("callers", false)) options.emplace_back("-g");
  if (wish.value("sizes", false)) options.emplace_back("--sizes");
  if (wish.value("llc", false)) options.emplace_back("--llc");
}

std::string free_path(const std::string& folder) {
  for (int number = 1;; ++number) {
    std::string path = fmt::format("{}/recording-{}.data", folder, number);
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return path;
  }
}

uint64_t size_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
}

std::string last_of(std::string text) {
  constexpr size_t kMost = 4000;
  if (text.size() > kMost) text.erase(0, text.size() - kMost);
  return text;
}

// Starts the program with its output in a file and in its own process group. Ctrl-C at the server's terminal
// only reaches the server, which then ends the recording.
Result<pid_t> spawn(const std::vector<std::string>& words, const std::string& log) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& each : copies) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  int failed = ::posix_spawn(&child, words[0].c_str(), &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return make_error(ErrorCode::kIo, "cannot start {}: {}", words[0], errno_text(failed));
  return child;
}

}  // namespace

Result<RecordWish> parse_record_wish(const std::string& text) {
  Value wish = parse_json(text);
  if (Status right = check_members(wish); !right) return right.error();
  RecordWish record;
  record.command = wish.value("command", std::vector<std::string>());
  for (const std::string& event : wish.value("events", std::vector<std::string>()))
    record.options.push_back("--event=" + event);
  auto pids = wish.value("pids", std::vector<uint64_t>());
  for (uint64_t pid : pids) record.options.push_back(fmt::format("--pid={}", pid));
  if (record.command.empty() && pids.empty()) return wrong("neither a command nor a process is given");
  add_sampling(wish, record);
  return record;
}

void Recorder::end() {
  std::lock_guard guard(mutex_);
  closed_ = true;
  if (child_ == 0) return;
  ::kill(child_, SIGINT);
  int status = 0;
  ::waitpid(child_, &status, 0);
  child_ = 0;
  ::unlink(log_.c_str());
}

Status Recorder::start(const RecordWish& wish) {
  std::lock_guard guard(mutex_);
  look();
  if (closed_) return make_error(ErrorCode::kUnsupported, "cannot record: the server is ending");
  if (child_ != 0) return make_error(ErrorCode::kUnsupported, "a recording is running: stop it first");
  RecorderState state;
  state.path = free_path(folder_);
  log_ = state.path + ".log";
  state.command = {program_, "record", "-o", state.path};
  state.command.insert(state.command.end(), wish.options.begin(), wish.options.end());
  state.command.emplace_back("--");
  state.command.insert(state.command.end(), wish.command.begin(), wish.command.end());
  if (wish.command.empty()) state.command.pop_back();
  Result<pid_t> child = spawn(state.command, log_);
  if (!child) return child.error();
  child_ = *child;
  begin_ = std::chrono::steady_clock::now();
  state.running = true;
  state_ = std::move(state);
  return {};
}

void Recorder::stop() {
  std::lock_guard guard(mutex_);
  if (child_ != 0) ::kill(child_, SIGINT);
}

void Recorder::look() {
  if (child_ == 0) return;
  state_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  state_.bytes = size_of(state_.path);
  int status = 0;
  bool has_ended = ::waitpid(child_, &status, WNOHANG) == child_;
  state_.said = last_of(read_text(log_).value_or(""));
  if (!has_ended) return;
  child_ = 0;
  state_.running = false;
  state_.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  state_.bytes = size_of(state_.path);
  if (state_.bytes != 0) finished_ = state_.path;
  ::unlink(log_.c_str());
}

RecorderState Recorder::state() {
  std::lock_guard guard(mutex_);
  look();
  return state_;
}

std::optional<std::string> Recorder::take_finished() {
  std::lock_guard guard(mutex_);
  look();
  std::optional<std::string> path = std::move(finished_);
  finished_.reset();
  return path;
}

}  // namespace hm::web
