// SPDX-License-Identifier: MIT
#include "capi/regions.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/text_file.h"
#include "capi/profiling.h"
#include "capi/recorder_link.h"
#include "capi/resource_file.h"

namespace hm::capi {
namespace {

class ReservedPath;

struct Region {
  std::string name;
  std::shared_ptr<ReservedPath> path;    // path of the file that it writes
  std::unique_ptr<Profiling> profiling;  // null if an engine measures
};
using Stack = std::vector<Region>;

// The stacks of all threads, because after a fork only one thread remains, and it has started nothing. Also
// the files that are being written.
class Registry {
 public:
  // Never destroyed, because threads may end after static objects are destroyed.
  static Registry& get() {
    static Registry* registry = [] {
      auto* made = new Registry;
      g_forking = made;
      ::pthread_atfork([]() HM_UNCHECKED_LOCKS { g_forking->mutex_.lock(); },
                       []() HM_UNCHECKED_LOCKS { g_forking->mutex_.unlock(); },
                       []() HM_UNCHECKED_LOCKS { g_forking->begin_child(); });
      return made;
    }();
    return *registry;
  }

  Stack* add() {
    MutexLock guard(mutex_);
    return stacks_.emplace_back(std::make_unique<Stack>()).get();
  }
  void remove(const Stack* stack) {
    MutexLock guard(mutex_);
    std::erase_if(stacks_, [&](const auto& each) { return each.get() == stack; });
  }

  // The lock ensures that a fork does not see a stack during a change.
  void push(Stack& stack, Region region) {
    MutexLock guard(mutex_);
    stack.push_back(std::move(region));
  }
  Region pop(Stack& stack) {
    MutexLock guard(mutex_);
    Region region = std::move(stack.back());
    stack.pop_back();
    return region;
  }
  void make_room(Stack& stack) {
    MutexLock guard(mutex_);
    stack.reserve(stack.size() + 1);
  }

  // Reserves the path, or the path with ".2" and so on if another thread is writing it.
  std::string reserve(const std::string& path) {
    MutexLock guard(mutex_);
    std::string free = path;
    for (int i = 2; !paths_.insert(free).second; ++i) free = path + '.' + std::to_string(i);
    return free;
  }
  void release(const std::string& path) {
    MutexLock guard(mutex_);
    paths_.erase(path);
  }

 private:
  static inline Registry* g_forking = nullptr;

  // The parent continues the measurements of its threads and finishes their files.
  void begin_child() HM_RELEASES(mutex_) {
    std::vector<Region> parents;
    for (const auto& stack : stacks_) {
      for (Region& region : *stack) {
        if (region.profiling != nullptr) region.profiling->abandon();
        parents.push_back(std::move(region));
      }
      stack->clear();
    }
    mutex_.unlock();  // because the destructors of the reserved paths lock it
  }

  Mutex mutex_;
  std::vector<std::unique_ptr<Stack>> stacks_ HM_GUARDED_BY(mutex_);
  std::set<std::string> paths_ HM_GUARDED_BY(mutex_);
};

// Reserves a dump's path while it is written.
class ReservedPath {
 public:
  explicit ReservedPath(const std::string& path) : path_(Registry::get().reserve(path)) {}
  ReservedPath(const ReservedPath&) = delete;
  ReservedPath& operator=(const ReservedPath&) = delete;
  ~ReservedPath() { Registry::get().release(path_); }
  [[nodiscard]] const std::string& get() const { return path_; }

 private:
  std::string path_;
};

Status end(Region region) {
  if (region.profiling != nullptr) return region.profiling->stop();
  (void)send_to_engine(soft::RegionOperation::kEnd, region.name);
  return {};
}

// The thread's own stack. The end of the thread ends everything that it has started; exit(3) is the end of
// the calling thread.
thread_local Stack* g_stack = nullptr;
// Both outlive the object below, because later destructors may call the API.
thread_local bool g_thread_ends = false;

struct ThreadEnd {
  ~ThreadEnd() {
    g_thread_ends = true;
    Stack* stack = std::exchange(g_stack, nullptr);
    while (stack != nullptr && !stack->empty()) {
      try {
        (void)end(Registry::get().pop(*stack));
      } catch (const std::exception&) {
        continue;  // the error cannot be reported
      }
    }
    Registry::get().remove(stack);
  }
};

// Returns nullptr if the thread is ending.
Stack* own_stack() {
  if (g_stack != nullptr || g_thread_ends) return g_stack;
  static thread_local ThreadEnd at_the_end;
  g_stack = Registry::get().add();
  (void)at_the_end;
  return g_stack;
}

Result<Resource> read_resource(const std::string& name) {
  Result<std::string> path = resource_path();
  if (!path) return path.error();
  constexpr size_t kMaxBytes = size_t{1} << 20;
  std::optional<std::string> text = read_text(*path, kMaxBytes);
  if (!text) {
    int error = errno;
    return make_error(error == EACCES ? ErrorCode::kPermission : ErrorCode::kNotFound,
                      "cannot read the resource file {}: {}", *path, errno_text(error));
  }
  return find_resource(*text, name, *path);
}

Status start_profiling(Region& region) {
  Result<Resource> resource = read_resource(region.name);
  if (!resource) return resource.error();
  auto path =
      std::make_shared<ReservedPath>(expand_dump_file(resource->dump_file, std::time(nullptr), ::getpid()));
  auto profiling = Profiling::start(*resource, path->get());
  if (!profiling) return profiling.error();
  region.profiling = *std::move(profiling);
  region.path = std::move(path);
  return {};
}

}  // namespace

bool is_started(const std::string& name) {
  Stack* stack = own_stack();
  return stack != nullptr && std::ranges::find(*stack, name, &Region::name) != stack->end();
}

Status start(const std::string& name) {
  Stack* stack = own_stack();
  if (stack == nullptr)
    return make_error(ErrorCode::kInvalidArgument, "'{}' cannot be started: the thread is ending", name);
  Registry::get().make_room(*stack);  // allocates now, so that push() cannot fail after the start
  Region region{name, {}, nullptr};
  if (send_to_engine(soft::RegionOperation::kBegin, name) == soft::RegionAnswer::kNoEngine) {
    if (Status started = start_profiling(region); !started) return started;
  }
  Registry::get().push(*stack, std::move(region));
  return {};
}

Status stop() {
  Stack* stack = own_stack();
  if (stack == nullptr || stack->empty())
    return make_error(ErrorCode::kInvalidArgument,
                      "nothing to stop: this thread has not started a measurement");
  return end(Registry::get().pop(*stack));
}

}  // namespace hm::capi
