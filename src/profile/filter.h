// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::profile {

// Selects samples. Options that are not set select all samples.
struct FilterOptions {
  std::vector<std::string> events;  // by name; several are a union
  std::optional<std::string> comm;
  std::optional<uint32_t> pid;
  std::optional<uint32_t> tid;
  std::optional<std::string> cgroup;  // a container or control group (ProcessCgroups::is_in)
  std::optional<std::string> dso;     // a path, or its last component
  bool jit_code = false;              // only code with a name that was compiled while the program ran
  // A function name with or without its parameters, or its last components (symbol/short_name.h); a part of a
  // name, if no function has that name; or a shell pattern, "parse_*" (glob(7)). Also a name as it is shown
  // (symbol/display_name.h), and "FILE:NAME" or "NAME (FILE)" for a function of a source file or a library.
  std::optional<std::string> function;
};

// The functions that FilterOptions::function is compared with.
enum class Among {
  kSamples,     // those of the samples themselves
  kCallChains,  // also their callers, if the profile has call chains
};

// The options, resolved for one profile.
class Filter {
 public:
  // Fails with kInvalidArgument for an event that the recording does not have, and with kNotFound for a
  // function without samples, and for a control group if no process is in it or the recording has none.
  // `inlines`: not null if a function's name also selects the code that it is inlined as.
  static Result<Filter> make(const Profile& profile, const FilterOptions& options,
                             const symbol::Resolver* inlines = nullptr, Among among = Among::kSamples);

  [[nodiscard]] bool passes(const Profile& profile, size_t sample) const {
    return events_[profile.samples.event[sample]] && threads_[profile.samples.thread[sample]] &&
           passes_location(profile, profile.samples.location[sample]);
  }
  // Checks the function and the object of a location.
  [[nodiscard]] bool passes_location(const Profile& profile, uint32_t place) const {
    const Location& location = profile.locations[place];
    return dsos_[location.dso] &&
           (functions_[location.function] || (!locations_.empty() && locations_[place]));
  }

  [[nodiscard]] bool passes_event(uint32_t event) const { return events_[event]; }
  [[nodiscard]] bool passes_thread(uint32_t thread) const { return threads_[thread]; }
  // Checks a function with a symbol and its object, regardless of whether a sample or a branch refers to it.
  // A function also passes if a selected function is inlined into it.
  [[nodiscard]] bool passes_function(const Profile& profile, uint32_t function) const {
    return (functions_[function] || (!containing_.empty() && containing_[function])) &&
           dsos_[profile.functions[function].dso];
  }

 private:
  std::vector<bool> events_;
  std::vector<bool> threads_;
  std::vector<bool> dsos_;
  std::vector<bool> functions_;
  std::vector<bool> locations_;   // of inlined functions; empty if there are none
  std::vector<bool> containing_;  // functions with these locations; empty if there are none
};

// Returns true if `wanted` is the whole function name, or the name without its parameters.
[[nodiscard]] bool names_function(std::string_view wanted, std::string_view function);

// Returns true if FilterOptions::function may mean the function, by its name and not only by a part of it.
[[nodiscard]] bool may_name(const std::string& wanted, const std::string& function);

}  // namespace hm::profile
