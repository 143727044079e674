// SPDX-License-Identifier: MIT
// What people call a container, from what its runtime keeps on this machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hm::agent {

// Each is looked up once. No runtime is asked, so that none has to run and none has to trust the agent.
class Containers {
 public:
  // `root`: of the file system.
  explicit Containers(std::string root = "") : root_(std::move(root)) {}

  // "NAMESPACE/CONTAINER" of Kubernetes, the same in all pods of a deployment; of Docker, by its labels,
  // "PROJECT/SERVICE" of Compose, and a swarm's service; else the container's name (Docker, Podman); else
  // "container:" and the beginning of its id.
  const std::string& name(std::string_view id);

 private:
  using Names = std::unordered_map<std::string, std::string>;  // by id

  [[nodiscard]] std::string find(const std::string& id);
  [[nodiscard]] Names kubernetes() const;
  [[nodiscard]] std::string docker(const std::string& id) const;
  [[nodiscard]] Names podman() const;

  std::string root_;
  Names known_;
  std::optional<Names> kubernetes_, podman_;  // read when first needed
};

}  // namespace hm::agent
