// SPDX-License-Identifier: MIT
// Who holds the last-level caches, and who uses the memory's bandwidth: what can tell it (resctrl, libpqos,
// the software PMU), behind one interface. It has no samples: whoever asks reads when it wants.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace hm::rdt {

// Of a group, in one last-level cache. nullopt: not measured.
struct Reading {
  uint32_t domain = 0;  // the cache's id
  std::optional<uint64_t> occupancy_bytes;
  std::optional<uint64_t> total_bytes, local_bytes;  // through the memory bus, since some moment that stays

  bool operator==(const Reading&) const = default;
};

// One last-level cache.
struct Domain {
  uint32_t id = 0;
  uint64_t bytes = 0;  // 0: not known

  bool operator==(const Domain&) const = default;
};

struct Capabilities {
  std::string name;       // who measures: "resctrl"
  bool modelled = false;  // of a modelled cache, not of a real one
  bool occupancy = false, total_bandwidth = false, local_bandwidth = false;
  bool threads = false, cpus = false;  // what can be in a group
  uint32_t groups = 0;                 // so many at a time, at most; 0: any number
  uint64_t ways = 0;                   // of a cache, as a mask: what groups can be bounded to; 0: they cannot
  std::vector<Domain> domains;
};

// What is measured together: either threads, or logical CPUs, or domains of Xen, which its own provider alone
// measures.
struct Members {
  std::vector<pid_t> threads = {};
  std::vector<uint32_t> cpus = {};
  std::vector<uint32_t> xen_domains = {};
  // A mask of the ways of each last-level cache that they may bring lines into, as long as the group lives;
  // 0: they may use what they might before. Only threads can be bounded.
  uint64_t ways = 0;
};

// Measured as long as this lives, unless somebody else ends it.
class Group {
 public:
  Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  virtual ~Group() = default;

  // Threads that these start later are in the group by themselves. kNotFound where it has ended;
  // kUnsupported where somebody else has it monitored, which is left as it is.
  [[nodiscard]] virtual Status add(pid_t thread) = 0;

  // One reading for each domain; none where the group is no more.
  [[nodiscard]] virtual std::vector<Reading> read() = 0;
};

// A group that somebody else made, which is only read.
struct ForeignGroup {
  std::string name;
  std::vector<pid_t> threads;
  std::vector<Reading> readings;
};

class Provider {
 public:
  Provider() = default;
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;
  virtual ~Provider() = default;

  [[nodiscard]] virtual const Capabilities& capabilities() const = 0;

  // What groups read until the next round is of one moment, where that can be had.
  virtual void begin_round() {}

  // Threads that have ended, or that somebody else has monitored, are left out. kUnsupported where there are
  // as many groups as can be, or ways cannot be bounded; kInvalidArgument for a mask that is none of these;
  // kIo where that will change in a moment (ids whose lines are still in the cache).
  [[nodiscard]] virtual Result<std::unique_ptr<Group>> watch(const Members& members) = 0;

  [[nodiscard]] virtual std::vector<ForeignGroup> foreign_groups() { return {}; }
};

}  // namespace hm::rdt
