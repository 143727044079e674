// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/rdt/pqos_counter.h"
#include "pmu/rdt/pqos_library.h"
#include "pmu/rdt/provider.h"

namespace hm::rdt {

// libpqos, initialised for registers. Its state is global to the process, so only one session exists at a
// time.
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

  // Returns the id of a logical CPU's last-level cache; nullopt if the CPU does not exist or is offline.
  [[nodiscard]] std::optional<uint32_t> domain_of(uint32_t cpu) const;
  [[nodiscard]] std::vector<uint32_t> cpus_of(uint32_t domain) const;
  [[nodiscard]] size_t cpu_count() const { return domains_.size(); }

  // Held by every caller of the library.
  [[nodiscard]] std::mutex& mutex() { return mutex_; }

  // The CPUs that last used an id, as far as this process knows; null if unknown. libpqos reuses the lowest
  // free id at once, though lines inserted under it are still in the cache. Requires the mutex.
  [[nodiscard]] const std::vector<uint32_t>* last_cpus(uint32_t domain, uint32_t id) const;
  void remember_cpus(uint32_t domain, uint32_t id, const std::vector<uint32_t>& cpus);

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
  std::map<uint32_t, uint32_t> domains_;  // by CPU
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> last_cpus_;
  std::mutex mutex_;
  std::string message_;  // the first error message that libpqos logged
};

}  // namespace hm::rdt
