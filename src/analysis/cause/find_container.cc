// SPDX-License-Identifier: MIT
#include "analysis/cause/find_container.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analysis/cause/gain.h"

namespace hm::cause {
namespace {

// A container and the path of the function that names it.
struct Named {
  Container container = Container::kNone;
  std::string path;

  auto operator<=>(const Named&) const = default;  // NOLINT(modernize-use-nullptr)
};

bool holds_others(Container container) {
  return container != Container::kNone && container != Container::kString && container != Container::kDense;
}

// Goes outwards from the innermost frame through functions of libraries. Up to `guests` functions of the
// program may come first: a container calls them to compare and to hash. A string within another container
// counts as part of that one: its characters may lie in the element.
Named container_in(const callers::FrameNumbers& frames, std::span<const uint32_t> path, int guests) {
  Named found;
  for (uint32_t number : path) {
    const std::string& function = frames[number].function;
    Container here = container_of(function);
    bool outranks = found.container == Container::kNone || holds_others(here);
    if (here != Container::kNone && outranks) found = {here, path_of(function)};
    if (holds_others(here)) return found;
    if (here == Container::kNone && !is_of_library(function) && guests-- <= 0) break;
  }
  return found;
}

bool is_shared(Container container) {
  return container == Container::kSharedPointers || container == Container::kSharedInPlace;
}

// The code that allocated a block names the container at the innermost of its functions. Of a shared pointer,
// a function further out shows that the block also holds the object.
Named allocator_in(const callers::FrameNumbers& frames, std::span<const uint32_t> path) {
  Named found;
  for (uint32_t number : path) {
    const std::string& function = frames[number].function;
    Container here = container_of(function);
    bool in_place = is_shared(found.container) && here == Container::kSharedInPlace;
    if (in_place || (found.container == Container::kNone && here != Container::kNone))
      found = {here, path_of(function)};
    if (found.container != Container::kNone && !is_shared(found.container)) break;
    if (!is_of_library(function)) break;
  }
  return found;
}

std::string code_of(const Named& runtime) {
  switch (runtime.container) {
    case Container::kNodeObjects:
      return "of V8";
    case Container::kScriptObjects:
      return "JavaScript compiled by V8";
    case Container::kGoObjects:
      return "Go";
    default:
      return fmt::format("of the Python interpreter, {}", runtime.path);
  }
}

class Counts {
 public:
  void add(const Named& named) {
    ++counts_[named.container];
    paths_.try_emplace(named.container, named.path);
    ++all_;
  }
  // Returns the container of at least half of the samples, with the path that named it first.
  [[nodiscard]] std::optional<Named> of_most() const {
    for (const auto& [container, count] : counts_) {
      if (static_cast<double>(count) >= kDecides * static_cast<double>(all_) && container != Container::kNone)
        return Named{container, paths_.at(container)};
    }
    return std::nullopt;
  }

 private:
  std::map<Container, uint64_t> counts_;
  std::map<Container, std::string> paths_;
  uint64_t all_ = 0;
};

class ContainerFinder {
 public:
  ContainerFinder(const profile::Profile& profile, callers::FrameNumbers& frames, const Gathered& place)
      : profile_(profile), frames_(frames), place_(place) {
    constexpr size_t kMaxSamples = 64;
    const std::vector<uint32_t>& all = place.samples();
    size_t apart = (all.size() + kMaxSamples - 1) / kMaxSamples;
    for (size_t i = 0; i < all.size(); i += apart) samples_.push_back(all[i]);
  }

  FoundContainer find() {
    if (std::optional<Named> allocator = of_allocator())
      return {allocator->container, false, fmt::format("the code is the allocator's, {}", allocator->path)};
    std::optional<Named> code = around_place();
    bool goes_on = code && iterates(code->path);
    std::optional<Named> site = allocators();
    // The program's own code reads the object, not the count.
    bool is_object = site && is_shared(site->container) && !(code && is_shared(code->container));
    if (site && !is_object)
      return {site->container, goes_on, fmt::format("the data was allocated in {}", site->path)};
    if (Named type = of_type(); type.container != Container::kNone)
      return {type.container, goes_on, fmt::format("the data is of the type {}", type.path)};
    if (code) return {code->container, goes_on, fmt::format("the code is in {}", code->path)};
    return of_runtime();
  }

 private:
  std::optional<Named> of_allocator() {
    Counts counts;
    for (uint32_t sample : samples_) {
      const std::string& function = frames_[frames_.at(profile_.samples.location[sample]).back()].function;
      counts.add(is_allocator(function) ? Named{Container::kAllocator, path_of(function)} : Named());
    }
    return counts.of_most();
  }

  std::optional<Named> allocators() {
    Counts counts;
    for (uint32_t sample : samples_) {
      std::optional<uint64_t> site = profile_.samples.heap_site.at(sample);
      counts.add(site && *site < profile_.heap_sites.size() ? allocator_of(profile_.heap_sites[*site])
                                                            : Named());
    }
    return counts.of_most();
  }

  // The first entry of a site's chain is the allocator itself.
  Named allocator_of(const profile::HeapSite& site) {
    constexpr size_t kMaxFrames = 32;
    path_.clear();
    for (uint32_t location : site.chain) {
      const std::vector<uint32_t>& here = frames_.at(location);
      path_.insert(path_.end(), here.begin(), here.end());
      if (path_.size() >= kMaxFrames) break;
    }
    return allocator_in(frames_, path_);
  }

  [[nodiscard]] Named of_type() const {
    uint32_t field = place_.field();
    if (field == 0) return {};
    const std::string& type = profile_.types[profile_.fields[field].type].layout.name;
    Container container = container_of(type);
    return holds_others(container) ? Named{container, path_of(type)} : Named();
  }

  std::optional<Named> around_place() {
    constexpr size_t kMaxFrames = 32;
    constexpr int kGuests = 2;
    Counts counts;
    for (uint32_t sample : samples_) {
      path_ = frames_.at(profile_.samples.location[sample]);
      frames_.add_callers(sample, kMaxFrames, path_);
      Named found = container_in(frames_, path_, kGuests);
      bool is_own = !is_shared(found.container) || is_of_library(frames_[path_[0]].function);
      counts.add(is_own ? found : Named());
    }
    return counts.of_most();
  }

  FoundContainer of_runtime() {
    Counts counts;
    for (uint32_t sample : samples_) {
      const callers::FrameNumbers::Frame& frame = frames_[frames_.at(profile_.samples.location[sample])[0]];
      std::string_view dso = profile_.dsos[frame.dso].name();
      counts.add({runtime_of(frame.function, dso), std::string(dso)});
    }
    std::optional<Named> most = counts.of_most();
    if (!most) return {};
    return {most->container, false,
            fmt::format("the code is {}; the object that it reads is not known", code_of(*most))};
  }

  const profile::Profile& profile_;
  callers::FrameNumbers& frames_;
  const Gathered& place_;
  std::vector<uint32_t> samples_;
  std::vector<uint32_t> path_;
};

}  // namespace

FoundContainer find_container(const profile::Profile& profile, callers::FrameNumbers& frames,
                              const Gathered& place) {
  return ContainerFinder(profile, frames, place).find();
}

}  // namespace hm::cause
