// SPDX-License-Identifier: MIT
#include "capi/regions.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "base/text_file.h"
#include "capi/profiling.h"
#include "capi/recorder_link.h"
#include "capi/resource_file.h"

namespace hm::capi {
namespace {

struct Region {
  std::string name;
  std::unique_ptr<Profiling> profiling;  // null where an engine measures
};
using Stack = std::vector<Region>;

// All threads' stacks, for a fork leaves one thread, which has started nothing; and the files that are being
// written.
class Registry {
 public:
  // It stays until the process has ended: threads may come to their ends after static objects have.
  static Registry& get() {
    static auto* registry = new Registry;
    return *registry;
  }

  Stack* add() {
    std::lock_guard guard(mutex_);
    return stacks_.emplace_back(std::make_unique<Stack>()).get();
  }
  void remove(const Stack* stack) {
    std::lock_guard guard(mutex_);
    std::erase_if(stacks_, [&](const auto& each) { return each.get() == stack; });
  }

  // The path itself, or with ".2" and so on behind it while another thread writes that.
  std::string reserve(const std::string& path) {
    std::lock_guard guard(mutex_);
    std::string free = path;
    for (int i = 2; !paths_.insert(free).second; ++i) free = path + '.' + std::to_string(i);
    return free;
  }
  void release(const std::string& path) {
    std::lock_guard guard(mutex_);
    paths_.erase(path);
  }

 private:
  Registry() {
    ::pthread_atfork([] { get().mutex_.lock(); }, [] { get().mutex_.unlock(); }, [] { get().begin_child(); });
  }

  // The parent's threads go on being measured there. Here the files are closed as they are: the parent
  // finishes them.
  void begin_child() {
    for (const auto& stack : stacks_) stack->clear();
    paths_.clear();
    mutex_.unlock();
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Stack>> stacks_;
  std::set<std::string> paths_;
};

Status end(Region region) {
  if (region.profiling == nullptr) {
    (void)tell_engine(soft::RegionOperation::kEnd, region.name);
    return {};
  }
  Status stopped = region.profiling->stop();
  Registry::get().release(region.profiling->path());
  return stopped;
}

// A thread that ends stops what it has started; so does the process' first when exit(3) ends it.
class OwnStack {
 public:
  OwnStack() : stack_(Registry::get().add()) {}
  OwnStack(const OwnStack&) = delete;
  OwnStack& operator=(const OwnStack&) = delete;
  ~OwnStack() {
    for (; !stack_->empty(); stack_->pop_back())
      (void)end(std::move(stack_->back()));  // there is nobody to tell
    Registry::get().remove(stack_);
  }
  [[nodiscard]] Stack& get() { return *stack_; }

 private:
  Stack* stack_;
};

Stack& own_stack() {
  thread_local OwnStack stack;
  return stack.get();
}

Result<Resource> read_resource(const std::string& name) {
  Result<std::string> path = resource_path();
  if (!path) return path.error();
  std::optional<std::string> text = read_text(*path);
  if (!text) {
    int error = errno;
    return make_error(error == EACCES ? ErrorCode::kPermission : ErrorCode::kNotFound,
                      "cannot read the resource file {}: {}", *path, errno_text(error));
  }
  return find_resource(*text, name, *path);
}

Result<std::unique_ptr<Profiling>> start_profiling(const std::string& name) {
  Result<Resource> resource = read_resource(name);
  if (!resource) return resource.error();
  Registry& registry = Registry::get();
  std::string path = registry.reserve(expand_dump_file(resource->dump_file, std::time(nullptr), ::getpid()));
  auto profiling = Profiling::start(*resource, path);
  if (!profiling) registry.release(path);
  return profiling;
}

}  // namespace

bool is_started(const std::string& name) {
  return std::ranges::find(own_stack(), name, &Region::name) != own_stack().end();
}

Status start(const std::string& name) {
  Stack& stack = own_stack();
  stack.reserve(stack.size() + 1);  // so that nothing fails once it has begun
  Region region{name, nullptr};
  if (tell_engine(soft::RegionOperation::kBegin, name) == soft::RegionAnswer::kNobody) {
    auto profiling = start_profiling(name);
    if (!profiling) return profiling.error();
    region.profiling = *std::move(profiling);
  }
  stack.push_back(std::move(region));
  return {};
}

Status stop() {
  Stack& stack = own_stack();
  if (stack.empty())
    return make_error(ErrorCode::kInvalidArgument,
                      "there is nothing to stop: this thread has started nothing");
  Region region = std::move(stack.back());
  stack.pop_back();
  return end(std::move(region));
}

}  // namespace hm::capi
