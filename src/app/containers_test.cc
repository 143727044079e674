// SPDX-License-Identifier: MIT
#include "app/containers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hm::app {
namespace {

const std::string kId(64, 'a');

class ContainersTest : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    std::string path = root_.file(file);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << text;
  }
  void write_docker(const std::string& text) {
    write("var/lib/docker/containers/" + kId + "/config.v2.json", text);
  }
  std::string name() { return Containers(root_.file("")).name(kId); }

  TemporaryFolder root_;
};

TEST_F(ContainersTest, HaveNoNameWithoutARuntime) { EXPECT_EQ(name(), ""); }

TEST_F(ContainersTest, OfKubernetesGoByNamespaceAndContainer) {
  write("var/log/containers/shop-7d4b9c-x2x_prod_web-server-" + kId + ".log", "");
  write("var/log/containers/unrelated", "");
  EXPECT_EQ(name(), "prod/web-server");
}

TEST_F(ContainersTest, OfDockerGoByTheirLabelsElseByTheirName) {
  write_docker(R"({"ID":"aa","Name":"/eager_turing","Config":{"Labels":{}}})");
  EXPECT_EQ(name(), "eager_turing");
  write_docker(R"({"Name":"/eager_turing","Config":{"Labels":{"com.docker.swarm.service.name":"shop_db"}}})");
  EXPECT_EQ(name(), "shop_db");
  write_docker(R"({"Name":"/shop-db-1","Config":{"Labels":{"com.docker.compose.service":"db",
    "com.docker.compose.project":"shop"}}})");
  EXPECT_EQ(name(), "shop/db");
}

TEST_F(ContainersTest, OfPodmanGoByTheirName) {
  write("var/lib/containers/storage/overlay-containers/containers.json",
        R"([{"id":"bb","names":["other"]},{"id":")" + kId + R"(","names":["web","second"]}])");
  EXPECT_EQ(name(), "web");
}

TEST_F(ContainersTest, AreNotNamedByWhatIsDamaged) {
  write("var/lib/containers/storage/overlay-containers/containers.json", R"([{"id":3},4,{"names":{}}])");
  for (const char* text : {"", "{", "[]", R"({"Name":3,"Config":[1]})", R"({"Config":{"Labels":"x"}})"}) {
    write_docker(text);
    EXPECT_EQ(name(), "") << text;
  }
  write_docker(R"({"Name":"/)" + std::string(10'000, 'x') + "\"}");
  EXPECT_EQ(name(), "");
}

}  // namespace
}  // namespace hm::app
