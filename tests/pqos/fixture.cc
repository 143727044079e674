// SPDX-License-Identifier: MIT
#include "pqos/fixture.h"

#include <unistd.h>

#include <optional>

namespace hm::rdt {

void PrintTo(const Reading& reading, std::ostream* out) {
  auto text = [](const std::optional<uint64_t>& bytes) {
    return bytes ? std::to_string(*bytes) : std::string("not measured");
  };
  *out << "cache " << reading.domain << ": " << text(reading.occupancy_bytes) << ", total "
       << text(reading.total_bytes) << ", local " << text(reading.local_bytes);
}

}  // namespace hm::rdt

namespace hm::pqos_test {
namespace {

// Lives until the process ends: a process cannot leave a mount namespace, and must not patch code twice.
struct Emulation {
  EmulatedRegisters registers;
  std::string problem;
};
std::optional<Emulation> g_emulation;

class EndsEmulation final : public testing::Environment {
 public:
  void TearDown() override { g_emulation.reset(); }
};
[[maybe_unused]] testing::Environment* g_end = testing::AddGlobalTestEnvironment(new EndsEmulation);

std::string begin_emulation(EmulatedRegisters& registers) {
  if (::geteuid() != 0) return "mounting needs root";
  if (std::string problem = emulate_cpuid(); !problem.empty()) return problem;
  return registers.mount();
}

}  // namespace

void PqosTest::SetUp() {
  if (!g_emulation) {
    g_emulation.emplace();
    g_emulation->problem = begin_emulation(g_emulation->registers);
  }
  if (!g_emulation->problem.empty()) {
    GTEST_SKIP() << "libpqos is not tested, its processor cannot be emulated here: " << g_emulation->problem;
  }
  registers().reset();
  set_emulated_cpu({});
}

EmulatedRegisters& PqosTest::registers() { return g_emulation->registers; }

std::unique_ptr<rdt::Provider> PqosTest::opened() {
  auto provider = rdt::open_pqos();
  if (provider) return std::move(*provider);
  ADD_FAILURE() << provider.error().message;
  return nullptr;
}

std::unique_ptr<rdt::Group> PqosTest::watched(rdt::Provider& provider, const std::vector<uint32_t>& cpus) {
  auto group = provider.watch({.threads = {}, .cpus = cpus});
  if (group) return std::move(*group);
  ADD_FAILURE() << group.error().message;
  return nullptr;
}

std::string PqosTest::error_of_opening(ErrorCode expected) {
  auto provider = rdt::open_pqos();
  if (provider) {
    ADD_FAILURE() << "it was opened";
    return "";
  }
  EXPECT_EQ(provider.error().code, expected) << provider.error().message;
  return provider.error().message;
}

std::string PqosTest::error_of_watching(rdt::Provider& provider, const rdt::Members& members,
                                        ErrorCode expected) {
  auto group = provider.watch(members);
  if (group) {
    ADD_FAILURE() << "the group was begun";
    return "";
  }
  EXPECT_EQ(group.error().code, expected) << group.error().message;
  return group.error().message;
}

}  // namespace hm::pqos_test
