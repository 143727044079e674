// SPDX-License-Identifier: MIT
// The processes and threads of samples, as frames around their call paths.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/flame/node_kind.h"
#include "profile/profile.h"

namespace hm::flame {

class Owners {
 public:
  struct Owner {
    NodeKind kind = NodeKind::kProcess;
    std::string name;
  };

  explicit Owners(const profile::Profile& profile);

  // Appends the frames of a row of Profile::threads, innermost first: the thread, if several threads of its
  // process have samples, and the process. Their numbers differ from those of functions.
  void add_to(uint32_t thread, std::vector<uint32_t>& path);
  // Returns nullptr if the frame is of a function.
  [[nodiscard]] const Owner* of(uint32_t frame) const;

 private:
  static constexpr uint32_t kFirst = uint32_t{1} << 31;

  [[nodiscard]] std::vector<uint32_t> frames_of(const profile::Thread& thread);
  uint32_t number_of(NodeKind kind, uint32_t id, const std::string& name);
  [[nodiscard]] const std::string& process_name(const profile::Thread& thread) const;

  const profile::Profile& profile_;
  std::map<uint32_t, std::set<uint32_t>> tids_;          // by pid
  std::map<uint32_t, const std::string*> leader_names_;  // by pid: the last name
  std::map<std::pair<uint32_t, std::string>, uint32_t> numbers_;
  std::vector<Owner> owners_;
  std::map<uint32_t, std::vector<uint32_t>> frames_;  // by row of Profile::threads
};

}  // namespace hm::flame
