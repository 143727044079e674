// SPDX-License-Identifier: MIT
// Readable names of containers, from the files that container runtimes keep on this machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hm::app {

// Looks up each container once. Reads files instead of calling a runtime, so that no runtime has to run or to
// trust the agent.
class Containers {
 public:
  // `root` is the root of the file system.
  explicit Containers(std::string root = "") : root_(std::move(root)) {}

  // Returns "NAMESPACE/CONTAINER" for Kubernetes, which is the same in all pods of a deployment. For Docker
  // returns "PROJECT/SERVICE" of Compose or a swarm's service, from its labels. Else returns the container's
  // name (Docker, Podman), or an empty text if no runtime knows it.
  const std::string& name(std::string_view id);

 private:
  using Names = std::unordered_map<std::string, std::string>;  // by ID

  [[nodiscard]] std::string find(const std::string& id);
  [[nodiscard]] Names kubernetes() const;
  [[nodiscard]] std::string docker(const std::string& id) const;
  [[nodiscard]] Names podman() const;

  std::string root_;
  Names known_;
  std::optional<Names> kubernetes_, podman_;  // read at first use
};

}  // namespace hm::app
