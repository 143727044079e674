// SPDX-License-Identifier: MIT
#include "base/cgroup_name.h"

#include <gtest/gtest.h>

namespace hm {
namespace {

const std::string kId = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

TEST(CgroupName, OfContainersPodsAndUnits) {
  EXPECT_EQ(cgroup_name("/system.slice/docker-" + kId + ".scope"), "docker 0123456789ab");
  EXPECT_EQ(cgroup_name("/docker/" + kId), "docker 0123456789ab");
  EXPECT_EQ(cgroup_name("/machine.slice/libpod-" + kId + ".scope"), "podman 0123456789ab");
  EXPECT_EQ(cgroup_name("/kubepods.slice/kubepods-burstable.slice/"
                        "kubepods-burstable-pod1234abcd_12ab_34cd_56ef_0123456789ab.slice/cri-containerd-" +
                        kId + ".scope"),
            "pod 1234abcd-12ab-34cd-56ef-0123456789ab, containerd 0123456789ab");
  EXPECT_EQ(cgroup_name("/kubepods/besteffort/pod1234abcd-12ab-34cd-56ef-0123456789ab/" + kId),
            "pod 1234abcd-12ab-34cd-56ef-0123456789ab, container 0123456789ab");
  EXPECT_EQ(cgroup_name("/docker/" + kId + "/worker"), "docker 0123456789ab");
  EXPECT_EQ(cgroup_name("/system.slice/docker-" + kId + ".scope/init.scope"), "docker 0123456789ab");
  EXPECT_EQ(cgroup_name(kId), "container 0123456789ab");
  EXPECT_EQ(cgroup_name("/system.slice/ssh.service"), "ssh.service");
  EXPECT_EQ(cgroup_name("/batch/night"), "/batch/night");
  EXPECT_EQ(cgroup_name("/"), "/");
}

}  // namespace
}  // namespace hm
