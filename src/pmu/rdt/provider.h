// SPDX-License-Identifier: MIT
// Occupancy of the last-level caches and use of memory bandwidth. Several providers (resctrl, libpqos, the
// software PMU) have one interface. There are no samples: the caller reads whenever it wants.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace hm::rdt {

// A group's use of one last-level cache. nullopt: not measured.
struct Reading {
  uint32_t domain = 0;  // id of the cache
  std::optional<uint64_t> occupancy_bytes;
  // Cumulative bytes transferred through the memory bus. The counter's origin is unspecified but fixed.
  std::optional<uint64_t> total_bytes, local_bytes;

  bool operator==(const Reading&) const = default;
};

// One last-level cache.
struct Domain {
  uint32_t id = 0;
  uint64_t bytes = 0;  // size of the cache; 0: unknown

  bool operator==(const Domain&) const = default;
};

struct Capabilities {
  std::string name;       // name of the provider: "resctrl"
  bool modelled = false;  // a modelled cache, not a real one
  bool occupancy = false, total_bandwidth = false, local_bandwidth = false;
  bool threads = false, cpus = false;  // possible members of a group
  uint32_t groups = 0;                 // maximum number at a time; 0: unlimited
  uint64_t ways = 0;                   // mask of the ways to which groups can be restricted; 0: not supported
  std::vector<Domain> domains;
};

// Members of a group: either threads, or logical CPUs, or Xen domains. Only the Xen provider measures Xen
// domains.
struct Members {
  std::vector<pid_t> threads = {};
  std::vector<uint32_t> cpus = {};
  std::vector<uint32_t> xen_domains = {};
  // Mask of the ways of each last-level cache that the members may allocate into, as long as the group lives.
  // 0: unchanged. Only threads can be restricted.
  uint64_t ways = 0;
};

// A group is measured as long as this object lives, unless another program ends the measurement.
class Group {
 public:
  Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  virtual ~Group() = default;

  // Adds a thread; threads that it starts later are added automatically. Fails with kNotFound if the thread
  // has ended. Fails with kUnsupported if another program monitors the thread, and leaves it unchanged.
  [[nodiscard]] virtual Status add(pid_t thread) = 0;

  // Returns one reading for each domain; none if the group no longer exists.
  [[nodiscard]] virtual std::vector<Reading> read() = 0;
};

// A group made by another program; it is only read.
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

  // Begins a round: if possible, all readings of the groups until the next round are from one point in time.
  virtual void begin_round() {}

  // Creates a group. Skips threads that have ended or that another program monitors. Fails with kUnsupported
  // if no further group is possible or ways cannot be restricted, and with kInvalidArgument if the way mask
  // is invalid. Fails with kIo if a retry may succeed soon, because ids still have lines in the cache.
  [[nodiscard]] virtual Result<std::unique_ptr<Group>> watch(const Members& members) = 0;

  [[nodiscard]] virtual std::vector<ForeignGroup> foreign_groups() { return {}; }
};

}  // namespace hm::rdt
