// SPDX-License-Identifier: MIT
// Translates code and runs the copies on the host. The core's thunks only record their calls. FakeProgram
// implements the translator's queries.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/data_filter.h"
#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/translate/code_cache.h"
#include "pmu/soft/direct/translate/harness/state.h"
#include "pmu/soft/direct/translate/program_facts.h"
#include "pmu/soft/direct/translate/restartable_sequences.h"
#include "pmu/soft/direct/translate/superblock.h"

namespace hm::soft::direct {

struct FakeProgram final : ProgramFacts {
  [[nodiscard]] uint64_t executable_end(uint64_t address) const override {
    return address >= begin && address < end ? end : 0;
  }
  [[nodiscard]] bool is_entry(uint64_t address) const override { return entries.contains(address); }
  [[nodiscard]] bool is_allocator(uint64_t address) const override { return allocators.contains(address); }
  [[nodiscard]] uint32_t heap_point(uint64_t address) const override {
    auto found = heap_points.find(address);
    return found == heap_points.end() ? 0 : found->second;
  }
  [[nodiscard]] bool has_common_memory() const override { return common_memory; }
  [[nodiscard]] bool is_machine_defined() const override { return defined_machine; }
  uint32_t code_page_offset(uint64_t) override { return code_page; }
  [[nodiscard]] bool has_sequences() const override { return sequences.are_used(); }
  void look_for_descriptor(uint64_t constant) override { sequences.learn(constant); }
  [[nodiscard]] bool begins_sequence(uint64_t address) const override { return sequences.begins_at(address); }
  [[nodiscard]] bool find_sequence(uint64_t address, RestartableSequence& out) const override {
    return sequences.find(address, out);
  }
  [[nodiscard]] uint32_t abort_signature() const override { return sequences.signature(); }
  uint32_t add_branch_site(uint64_t from, uint64_t to) override {
    sites.emplace_back(from, to);
    return static_cast<uint32_t>(sites.size());
  }

  uint64_t begin = 0, end = 0;
  std::set<uint64_t> entries, allocators;
  std::map<uint64_t, uint32_t> heap_points;
  bool common_memory = false, defined_machine = false;
  uint32_t code_page = 0;
  std::vector<std::pair<uint64_t, uint64_t>> sites;
  RestartableSequences sequences;
};

// State after a run.
struct Left {
  State state;  // with the program's register values
  std::vector<uint8_t> data;
  std::vector<CallOut> calls;
  uint32_t exit = 0;    // of a copy, as the next four fields
  uint64_t target = 0;  // target of the exit
  uint64_t ticks = 0, loads = 0, stores = 0;
};

class Translation : public ::testing::Test {
 public:
  static constexpr uint32_t kLineBytes = 64;

 protected:
  static constexpr uint64_t kCodeBytes = 1u << 20, kDataBytes = 16384;
  static constexpr uint64_t kFirstTick = 1000;

  Translation();
  ~Translation() override;
  Translation(const Translation&) = delete;
  Translation& operator=(const Translation&) = delete;

  // Puts code into the program, each piece on lines of its own, and returns its address. put_ending() adds a
  // jump to the end of runs, so that the original can run, too.
  uint64_t put(std::span<const uint8_t> code);
  uint64_t put_ending(std::span<const uint8_t> code);

  // Returns the copy of the code at `source`; makes it if there is none. `exact_flags`: read_superblock().
  Block& copy(uint64_t source, Mode mode = Mode::kCollecting, bool exact_flags = false);

  // Returns random registers, except that rsi, rbx, rdi and rbp point into the data, and rsp into its middle.
  // The data are the same at each run's beginning.
  State random_state(uint64_t seed);
  Left run_original(uint64_t source, const State& from);
  Left run_copy(const Block& block, const State& from);

  // From now on, loads of the lines in [address, address + bytes) pass; stores pass, too, if `may_write`.
  void make_resident(uint64_t address, uint64_t bytes, bool may_write);
  [[nodiscard]] uint64_t stamp_of(uint64_t address) const;

  // Makes [start, end) a restartable sequence that the running thread has begun.
  void put_sequence(uint64_t start, uint64_t end);
  static constexpr uint32_t kSignature = 0x53053053;

  // Returns the data's lines that touching copies have touched since the last call.
  std::set<uint64_t> take_touched_lines();

  [[nodiscard]] uint64_t data() const { return program_.end; }

  FakeProgram program_;
  CodeCache cache_;
  Plan plan_{};
  Core* core_;
  Thread thread_{};
  RestartDescriptor descriptor_{};
  struct {
    uint64_t cpus;
    uint64_t descriptor;
  } area_{};  // the thread's rseq area

 private:
  Left run(uint64_t code, const State& from);

  std::vector<uint8_t> filter_memory_;
  model::DataFilter filter_;
  uint32_t places_ = 0;
  uint64_t next_code_;
  std::vector<uint8_t> first_data_;
  std::vector<uint8_t> engine_stack_;
};

// Returns the first difference between the results of two runs; empty if there is none. `flags` are the bits
// of rflags to compare.
std::string difference(const Left& original, const Left& copy, uint64_t flags);

struct Case {
  const char* name;
  const uint8_t *begin, *end;
};
inline void PrintTo(const Case& of, std::ostream* out) { *out << of.name; }
std::span<const Case> cases();

}  // namespace hm::soft::direct
