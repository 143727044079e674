// SPDX-License-Identifier: MIT
#include "host/levels.h"

#include <gtest/gtest.h>

#include "host/synthetic_machine.h"

namespace hm::host {
namespace {

constexpr uint64_t k256MiB = uint64_t{256} << 20;

// Expects the machine's latencies and capacities, with relative tolerances: `ns_off`, and one step of size.
void expect_levels(const SyntheticMachine& machine, const Levels& found, double ns_off = 0.06,
                   double capacity_off = 0.1) {
  ASSERT_EQ(found.levels.size(), machine.caches.size() + 1);
  for (size_t i = 0; i < machine.caches.size(); ++i) {
    const SyntheticLevel& cache = machine.caches[i];
    EXPECT_NEAR(found.levels[i].ns.value, cache.ns, ns_off * cache.ns) << i;
    EXPECT_NEAR(found.levels[i].cycles.value, 3 * cache.ns, 3 * ns_off * cache.ns) << i;
    ASSERT_TRUE(found.levels[i].capacity_bytes) << i;
    EXPECT_NEAR(static_cast<double>(*found.levels[i].capacity_bytes), cache.capacity_bytes,
                capacity_off * cache.capacity_bytes)
        << i;
    EXPECT_LT(static_cast<double>(found.levels[i].first_bytes), cache.capacity_bytes) << i;
  }
  EXPECT_NEAR(found.levels.back().ns.value, machine.memory_ns, ns_off * machine.memory_ns);
  EXPECT_FALSE(found.levels.back().capacity_bytes);
  EXPECT_FALSE(found.rises_at_end);
}

// The machine of the paper's table 1 (L1 1 ns, L2 9 ns, memory 196 ns): no third level.
const SyntheticMachine kPentium4{{{1, 8 * kKiB}, {9, 512 * kKiB}}, 196};
const SyntheticMachine kServer{{{1.1, 32 * kKiB}, {3.8, 1 * kMiB}, {13, 32 * kMiB}}, 110};
// An L4 of embedded DRAM (Broadwell).
const SyntheticMachine kFourLevels{{{1, 32 * kKiB}, {3.5, 256 * kKiB}, {12, 6 * kMiB}, {38, 64 * kMiB}}, 85};

TEST(Levels, ThreeCachesAndMemory) { expect_levels(kServer, find_levels(curve_of(kServer, k256MiB))); }

TEST(Levels, NoThirdLevel) { expect_levels(kPentium4, find_levels(curve_of(kPentium4, k256MiB / 16))); }

TEST(Levels, FourCaches) { expect_levels(kFourLevels, find_levels(curve_of(kFourLevels, 2 * k256MiB))); }

TEST(Levels, CoarseSteps) { expect_levels(kServer, find_levels(curve_of(kServer, k256MiB, 4)), 0.06, 0.2); }

TEST(Levels, NoiseMakesNoLevel) {
  for (double noise : {0.03, 0.1, 0.15}) {
    SyntheticMachine noisy = kServer;
    noisy.noise = noise;
    SCOPED_TRACE(noise);
    expect_levels(noisy, find_levels(curve_of(noisy, k256MiB)), 0.06 + noise);
  }
}

TEST(Levels, SmoothStepsAsOfRandomReplacement) {
  SyntheticMachine smooth = kServer;
  smooth.sharpness = 4;
  expect_levels(smooth, find_levels(curve_of(smooth, 2 * k256MiB)), 0.1, 0.15);
}

TEST(Levels, ATlbsReachIsNoLevel) {
  SyntheticMachine walking = kServer;
  walking.tlb_reach_bytes = 256 * kKiB;  // 64 pages of 4 KiB
  walking.walk_ns = 1.9;                 // 7 cycles
  Levels found = find_levels(curve_of(walking, k256MiB));
  ASSERT_EQ(found.levels.size(), 4);
  EXPECT_NEAR(found.levels[0].ns.value, 1.1, 0.1);
  EXPECT_GT(found.levels[1].ns.value, 3.8);
  EXPECT_LT(found.levels[1].ns.value, 3.8 + 1.9);
  EXPECT_NEAR(found.levels[3].ns.value, 110 + 1.9, 2);
}

TEST(Levels, ASharedThirdLevelIsFoundWhereItIsFlattest) {
  SyntheticMachine shared = kServer;
  shared.caches[2].capacity_bytes = 4 * kMiB;  // the part that other virtual machines leave
  shared.sharpness = 6;
  Levels found = find_levels(curve_of(shared, k256MiB / 2));
  ASSERT_EQ(found.levels.size(), 4);
  EXPECT_NEAR(found.levels[2].ns.value, 13, 2);
  EXPECT_NEAR(static_cast<double>(*found.levels[2].capacity_bytes), 4 * kMiB, 0.6 * kMiB);
}

TEST(Levels, UnsteadyPointsAreLeftOut) {
  Curve curve = curve_of(kServer, k256MiB);
  for (size_t i = 20; i < curve.size(); i += 5) {
    Estimate& ns = curve[i].ns;
    ns = {ns.value * 3, ns.value, ns.value * 4};
  }
  expect_levels(kServer, find_levels(curve), 0.06, 0.2);
}

TEST(Levels, SaysThatTheCurveStillRises) {
  Levels found = find_levels(curve_of(kServer, 34 << 20));
  EXPECT_TRUE(found.rises_at_end);
  EXPECT_EQ(found.levels.size(), 3);
}

TEST(Levels, TooFewPointsHaveNone) {
  EXPECT_TRUE(find_levels({}).levels.empty());
  EXPECT_TRUE(find_levels(curve_of(kServer, 4096)).levels.empty());
  Levels one = find_levels(curve_of(kServer, 16 << 10));
  ASSERT_EQ(one.levels.size(), 1);
  EXPECT_FALSE(one.levels[0].capacity_bytes);
}

// Measured once on a virtual machine (AMD EPYC, Zen 4, 8 sizes per octave from 4 KiB, huge pages). The host
// backs it with 4-KiB pages, so that the L1 TLB's reach (72 pages) bends the L2's plateau, and other machines
// share its L3. 0 means unsteady.
constexpr double kGuestNs[] = {
    1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.083,
    1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.083, 1.085, 1.2,   3.142, 3.839, 3.788,
    3.805, 3.804, 3.802, 3.802, 3.804, 3.802, 3.803, 3.805, 3.803, 3.804, 3.804, 3.803, 3.805, 3.805,
    3.805, 3.804, 3.803, 3.803, 3.804, 3.803, 3.803, 3.804, 3.928, 4.096, 4.272, 4.411, 4.548, 4.828,
    5.012, 5.097, 5.236, 5.575, 6.173, 6.674, 7.274, 7.978, 8.67,  9.157, 9.809, 10.4,  11.11, 0,
    0,     13.04, 13.1,  0,     0,     0,     0,     0,     68.33, 0,     74.66, 61.84, 67.75, 53.56,
    81.65, 91.3,  96.26, 103.9, 116.5, 129.7, 132.4, 120.4, 124.9, 121.9, 132.3, 123.8, 131.4, 135.8,
    138.5, 141.6, 140.5, 146,   141.5, 143.2, 133.5, 145.2, 140.7, 145.8, 148.5, 149.4, 152.9, 155.3,
    156.6, 150.9, 156.2, 151.9, 154.4, 153,   158.3, 159.6, 160.6, 158.2, 161.9, 156.7, 159.8, 165.5,
    162.9, 161.2, 162.9, 171.1, 160,   169.7, 175,   171,   175,   201.1, 190.9};

TEST(Levels, OfAVirtualMachineThatSharesItsThirdLevel) {
  Curve curve;
  std::vector<uint64_t> sizes = sweep_sizes(uint64_t{512} << 20, 8);
  ASSERT_EQ(sizes.size(), std::size(kGuestNs));
  for (size_t i = 0; i < sizes.size(); ++i) {
    double ns = kGuestNs[i];
    if (ns > 0) curve.push_back({sizes[i], {ns, ns, ns}, 3.69});
  }
  Levels found = find_levels(curve);
  ASSERT_EQ(found.levels.size(), 4);
  EXPECT_NEAR(found.levels[0].cycles.value, 4, 0.05);
  EXPECT_EQ(found.levels[0].capacity_bytes, 32 << 10);
  EXPECT_NEAR(found.levels[1].cycles.value, 14, 0.1);
  EXPECT_NEAR(static_cast<double>(*found.levels[1].capacity_bytes), kMiB, 0.2 * kMiB);
  EXPECT_NEAR(found.levels[2].ns.value, 12.5, 1.5);
  EXPECT_LT(static_cast<double>(*found.levels[2].capacity_bytes), 8 * kMiB);  // the system reports 32
  EXPECT_NEAR(found.levels[3].ns.value, 150, 10);
}

TEST(CostBetween, TakesSteadyPointsInsideOnly) {
  Curve curve = curve_of(kServer, k256MiB);
  EXPECT_NEAR(cost_between(curve, 4096, 16384)->value, 1.1, 0.01);
  EXPECT_FALSE(cost_between(curve, 4097, 4098));
  for (Point& point : curve) point.ns.high = 2 * point.ns.value;
  EXPECT_FALSE(cost_between(curve, 4096, 16384));
}

TEST(SmallPages, SufficeAsFarAsTheTlbReaches) {
  SyntheticMachine walking = kServer;
  walking.tlb_reach_bytes = 8 * kMiB;
  walking.walk_ns = 20;
  std::optional<uint64_t> reach =
      small_pages_suffice_to(curve_of(walking, k256MiB), curve_of(kServer, k256MiB));
  ASSERT_TRUE(reach);
  EXPECT_GT(static_cast<double>(*reach), 1 * kMiB);
  EXPECT_LT(static_cast<double>(*reach), 8 * kMiB);
}

TEST(SmallPages, NeverCostMoreWithoutATlbStep) {
  Curve curve = curve_of(kServer, k256MiB);
  EXPECT_FALSE(small_pages_suffice_to(curve, curve));
  EXPECT_FALSE(small_pages_suffice_to({}, {}));
}

}  // namespace
}  // namespace hm::host
