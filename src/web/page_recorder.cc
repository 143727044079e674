// SPDX-License-Identifier: MIT
#include "web/page_recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "base/json.h"

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
bool is_detail(const Value& value) { return value == "exact" || value == "bursts" || value == "auto"; }
bool is_flag(const Value& value) { return value.is_boolean(); }

struct Member {
  std::string_view name;
  bool (*is_right)(const Value& value);
  std::string_view kind;
};
constexpr Member kMembers[] = {
    {"command", are_words, "a list of words"}, {"pids", are_pids, "a list of numbers"},
    {"events", are_words, "a list of words"},  {"period", is_word, "a word"},
    {"pmu", is_pmu, "auto, linux or soft"},    {"detail", is_detail, "exact, bursts or auto"},
    {"user", is_flag, "true or false"},        {"kernel", is_flag, "true or false"},
    {"callers", is_flag, "true or false"},     {"sizes", is_flag, "true or false"},
    {"llc", is_flag, "true or false"}};

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
  std::string pmu = wish.value("pmu", ""), period = wish.value("period", ""),
              detail = wish.value("detail", "");
  if (!pmu.empty()) options.push_back("--pmu=" + pmu);
  if (!period.empty()) options.push_back("--count=" + period);
  if (!detail.empty()) options.push_back("--detail=" + detail);
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

// Returns zeros if there is no such file.
struct stat status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) status = {};
  return status;
}

uint64_t size_of(const std::string& path) { return static_cast<uint64_t>(status_of(path).st_size); }

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

// Returns an unnamed file for output. It has no limit, so it is in a folder of temporary files, not in
// memory.
Result<UniqueFd> open_log() {
  std::error_code error;
  std::string folder = std::filesystem::temp_directory_path(error).string();
  UniqueFd log(error ? -1 : ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600));
  if (!log.valid()) log.reset(::memfd_create("output", MFD_CLOEXEC));
  if (!log.valid())
    return make_error(ErrorCode::kIo, "cannot create a file for the program's output: {}", errno_text(errno));
  return log;
}

// Returns the last kMaxSaidBytes of the file.
std::string end_of(const UniqueFd& log) {
  struct stat status {};
  if (::fstat(log.get(), &status) != 0) return "";
  size_t size = std::min(static_cast<size_t>(status.st_size), kMaxSaidBytes);
  std::string text(size, '\0');
  ssize_t got = ::pread(log.get(), text.data(), size, status.st_size - static_cast<off_t>(size));
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return text;
}

// Starts the program with its output in a file and in its own process group. Ctrl-C at the server's terminal
// only reaches the server, which then ends the recording.
Result<pid_t> spawn(const std::vector<std::string>& words, const UniqueFd& log) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& each : copies) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, log.get(), STDOUT_FILENO);
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
  // The command line would take it for an option.
  if (!record.command.empty() && record.command.front().starts_with('-'))
    return wrong(fmt::format("the program's name '{}' must not begin with -", record.command.front()));
  for (const std::string& event : wish.value("events", std::vector<std::string>()))
    record.options.push_back("--event=" + event);
  auto pids = wish.value("pids", std::vector<uint64_t>());
  for (uint64_t pid : pids) record.options.push_back(fmt::format("--pid={}", pid));
  if (record.command.empty() && pids.empty()) return wrong("neither a command nor a process is given");
  add_sampling(wish, record);
  return record;
}

void Recorder::end() {
  MutexLock guard(mutex_);
  closed_ = true;
  if (child_ == 0) return;
  ::kill(-child_, SIGINT);
  int status = 0;
  ::waitpid(child_, &status, 0);
  child_ = 0;
}

Status Recorder::start(const RecordWish& wish) {
  MutexLock guard(mutex_);
  look();
  if (closed_) return make_error(ErrorCode::kUnsupported, "cannot record: the server is ending");
  if (child_ != 0) return make_error(ErrorCode::kUnsupported, "a recording is running: stop it first");
  RecorderState state;
  state.path = wish.path.empty() ? free_path(folder_) : wish.path;
  Result<UniqueFd> log = open_log();
  if (!log) return log.error();
  log_ = *std::move(log);
  before_ = status_of(state.path);
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
  MutexLock guard(mutex_);
  if (child_ != 0) ::kill(-child_, SIGINT);
}

void Recorder::look() {
  if (child_ == 0) return;
  state_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  state_.bytes = size_of(state_.path);
  int status = 0;
  bool has_ended = ::waitpid(child_, &status, WNOHANG) == child_;
  state_.said = end_of(log_);
  if (!has_ended) return;
  child_ = 0;
  state_.running = false;
  state_.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  state_.bytes = size_of(state_.path);
  state_.written = state_.bytes != 0 && !same_file(before_, status_of(state_.path));
  if (state_.written) finished_ = state_.path;
}

RecorderState Recorder::state() {
  MutexLock guard(mutex_);
  look();
  return state_;
}

std::optional<std::string> Recorder::take_finished() {
  MutexLock guard(mutex_);
  look();
  std::optional<std::string> path = std::move(finished_);
  finished_.reset();
  return path;
}

}  // namespace hm::web
