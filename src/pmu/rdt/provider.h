// SPDX-License-Identifier: MIT
// Occupancy of the last-level caches and use of the memory's bandwidth, behind one interface for resctrl,
// libpqos and the software PMU. It has no samples: the caller reads when it wants.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace hm::rdt {

// Readings of a group in one last-level cache. nullopt: not measured.
struct Reading {
  uint32_t domain = 0;  // the cache's id
  std::optional<uint64_t> occupancy_bytes;
  std::optional<uint64_t> total_bytes, local_bytes;  // cumulative bytes transferred over the memory bus; the
                                                     // counter's origin is unspecified but fixed

  bool operator==(const Reading&) const = default;
};

// One last-level cache.
struct Domain {
  uint32_t id = 0;
  uint64_t bytes = 0;  // 0: not known

  bool operator==(const Domain&) const = default;
};

struct Capabilities {
  std::string name;       // the source: "resctrl"
  bool modelled = false;  // the caches are modelled, not real
  bool occupancy = false, total_bandwidth = false, local_bandwidth = false;
  bool threads = false, cpus = false;  // possible members of a group
  uint32_t groups = 0;                 // maximum number of groups at a time; 0: no limit
  uint64_t ways = 0;                   // mask of a cache's ways to which groups can be restricted; 0: none
  std::vector<Domain> domains;
};

// The members of a group, measured together: threads, logical CPUs, or Xen domains (Xen's provider only).
struct Members {
  std::vector<pid_t> threads = {};
  std::vector<uint32_t> cpus = {};
  std::vector<uint32_t> xen_domains = {};
  // Mask of the ways of each last-level cache that the members may allocate into while the group lives; 0
  // leaves them as they are. Only threads can be restricted.
  uint64_t ways = 0;
};

// A measured group. The measurement ends with the object, unless another program ends it earlier.
class Group {
 public:
  Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  virtual ~Group() = default;

  // Adds a thread; threads that it starts later join the group automatically. Fails with kNotFound if the
  // thread has ended, and with kUnsupported if another program monitors it; that monitoring is left as it is.
  [[nodiscard]] virtual Status add(pid_t thread) = 0;

  // Returns one reading per domain; empty if the group no longer exists.
  [[nodiscard]] virtual std::vector<Reading> read() = 0;
};

// A group that another program made; it is only read.
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

  // Makes all groups return readings of one moment until the next call, if the provider supports that.
  virtual void begin_round() {}

  // Starts a group. Skips threads that have ended or that another program monitors. Fails with kUnsupported
  // if no more groups are available or ways cannot be restricted. Fails with kInvalidArgument for an invalid
  // mask. Fails with kIo if the unused ids still have lines in the cache, which changes in a moment.
  [[nodiscard]] virtual Result<std::unique_ptr<Group>> watch(const Members& members) = 0;

  [[nodiscard]] virtual std::vector<ForeignGroup> foreign_groups() { return {}; }
};

}  // namespace hm::rdt
