// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "pmu/rdt/resctrl_provider.h"
#include "rdt/resctrl_mount.h"

namespace hm::rdt_test {

// Mounts a separate file system. Each test leaves none of hardmeter's groups in it.
class MountedResctrl : public ::testing::Test {
 protected:
  explicit MountedResctrl(const MountOptions& options = {}) : mount(options) {}

  void SetUp() override {
    if (!mount.failure().empty()) GTEST_SKIP() << "NOT TESTED: " << mount.failure();
  }

  void TearDown() override {
    EXPECT_THAT(mount.groups(), ::testing::Each(::testing::Not(::testing::HasSubstr("hardmeter-"))));
  }

  std::unique_ptr<rdt::Provider> open() {
    Result<std::unique_ptr<rdt::Provider>> provider = rdt::open_resctrl(mount.places());
    EXPECT_TRUE(provider.ok()) << provider.error().message;
    return provider ? *std::move(provider) : nullptr;
  }

  static std::unique_ptr<rdt::Group> watch(rdt::Provider& provider, const std::vector<pid_t>& threads) {
    Result<std::unique_ptr<rdt::Group>> group = provider.watch({.threads = threads, .cpus = {}});
    EXPECT_TRUE(group.ok()) << group.error().message;
    return group ? *std::move(group) : nullptr;
  }

  // Returns the path of a thread's group, relative to the root: the monitor group if it has one.
  [[nodiscard]] std::string group_of(pid_t thread) const {
    std::string found;
    for (const std::string& group : mount.groups()) {
      std::string threads = '\n' + mount.text(group + "/tasks");
      bool is_in = threads.find('\n' + std::to_string(thread) + '\n') != threads.npos;
      if (is_in && group.size() > found.size()) found = group;
    }
    return found;
  }

  ResctrlMount mount;
};

}  // namespace hm::rdt_test
