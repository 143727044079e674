// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "pmu/rdt/pqos_counter.h"
#include "pmu/rdt/pqos_library.h"
#include "pmu/rdt/provider.h"

namespace hm::rdt {

// libpqos, initialised to use registers. libpqos has one state for the whole process, so only one session
// exists at a time.
class PqosSession {
 public:
  [[nodiscard]] static Result<std::shared_ptr<PqosSession>> open();
  PqosSession(const PqosSession&) = delete;
  PqosSession& operator=(const PqosSession&) = delete;
  ~PqosSession();

  [[nodiscard]] const PqosLibrary& library() const { return library_; }
  [[nodiscard]] const Capabilities& capabilities() const { return capabilities_; }
  [[nodiscard]] const PqosEvent& occupancy() const { return occupancy_; }
  [[nodiscard]] const PqosEvent& total() const { return total_; }
  [[nodiscard]] const PqosEvent& local() const { return local_; }

  // Returns the last-level cache of a logical CPU; nullopt if the CPU does not exist or is offline.
  [[nodiscard]] std::optional<uint32_t> domain_of(uint32_t cpu) const;
  [[nodiscard]] std::vector<uint32_t> cpus_of(uint32_t domain) const;
  [[nodiscard]] size_t cpu_count() const { return domains_.size(); }

  // To be locked by all users of the library.
  [[nodiscard]] Mutex& mutex() HM_RETURNS_LOCK(mutex_) { return mutex_; }

  // Returns the CPUs that last used an id, as far as this process knows. libpqos reuses the lowest free id at
  // once, though lines with that id are still in the cache.
  [[nodiscard]] const std::vector<uint32_t>* last_cpus(uint32_t domain, uint32_t id) const
      HM_REQUIRES(mutex_);
  void remember_cpus(uint32_t domain, uint32_t id, const std::vector<uint32_t>& cpus) HM_REQUIRES(mutex_);

 private:
  explicit PqosSession(const PqosLibrary& library) : library_(library) {}
  [[nodiscard]] Status initialise();
  [[nodiscard]] Status learn_processor();
  void learn_event(const pqos_monitor& event);
  void keep_files_from_children();
  static void keep_first_message(void* session, size_t bytes, const char* message);

  PqosLibrary library_;
  bool initialised_ = false;
  Capabilities capabilities_;
  PqosEvent occupancy_, total_, local_;
  std::map<uint32_t, uint32_t> domains_;  // last-level cache by CPU
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> last_cpus_ HM_GUARDED_BY(mutex_);
  Mutex mutex_;
  std::string message_;  // first error message that libpqos logged
};

}  // namespace hm::rdt
