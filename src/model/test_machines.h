// SPDX-License-Identifier: MIT
// Machines for tests.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "model/machine.h"
#include "model/reference_models.h"
#include "model/test_storage.h"

namespace hm::model {

// Short names for the kinds of accesses in tests, and for the classes of their misses.
inline constexpr bool kLoad = false, kStore = true;
inline constexpr MissClass kNone = MissClass::kNone, kFirst = MissClass::kCompulsory;

// Small, so that random streams miss every level.
inline MachineGeometry small_machine() {
  MachineGeometry g;
  g.l1i = {16, 2};
  g.l1d = {64, 8};
  g.l2 = {128, 8};
  g.l3 = {512, 16};
  g.itlb = {1, 16};
  g.dtlb = {1, 24};
  g.second_tlb = {16, 4};
  return g;
}

struct Shared {
  explicit Shared(const MachineGeometry& geometry, FrameSource frame_source = nullptr)
      : levels(storage.build<SharedLevels>([&](Arena& arena) {
          return SharedLevels(geometry, kMaxHolders, reference::kept_memory, true, arena, frame_source);
        })) {}

  Storage storage;
  SharedLevels levels;
};

// Drives a Machine like an engine: checks the filters, writes the stamps, and calls only if necessary.
class FilteredMachine {
 public:
  FilteredMachine(const MachineGeometry& geometry, SharedLevels& shared)
      : geometry_(geometry),
        hints_(filter_hints(geometry.l1d)),
        data_(StampedSets<DataPlace>::places(geometry.l1d)),
        stores_(data_.size()),
        code_(StampedSets<CodePlace>::places(geometry.l1i)) {
    FilterTables tables{hints_.data(), data_.data(), stores_.data(), code_.data(), kDataOffset, kCodeOffset};
    machine_ = storage_.build<Machine>(
        [&](Arena& arena) { return Machine(geometry, tables, arena, reference::kept_memory); });
    machine_.join(shared);
  }

  void run_for(uint32_t holder) { machine_.run_for(holder); }

  Outcome access_data(uint64_t address, uint32_t bytes, bool writes = false) {
    stamp_ += 2;
    uint16_t hint = hints_[(address / geometry_.line_bytes) & (hints_.size() - 1)];
    size_t at = (hint - kDataOffset) / sizeof(DataPlace);
    uint64_t passing = writes ? stores_[at].passing : data_[at].passing;
    if (bytes <= geometry_.line_bytes && address - passing <= geometry_.line_bytes - bytes) {
      data_[at].stamp = stamp_;
      return {};
    }
    ++calls_;
    Outcome outcome = machine_.access_data(address, bytes, stamp_, writes);
    if (outcome.l1_misses != 0) first_class_ = machine_.data_class(address, stamp_, outcome);
    if (!outcome.plain_hit()) {
      Outcome classified = outcome;
      classified.l1_class = first_class_;
      what_if_ = machine_.what_if(address / geometry_.line_bytes, classified, true);
    }
    return outcome;
  }

  Outcome fetch(uint64_t line) {
    stamp_ += 2;
    uint32_t lines_per_page = machine_.lines_per_page();
    std::vector<uint64_t>& storage = pages_[line / lines_per_page];
    storage.resize(CodePage::bytes(lines_per_page) / sizeof(uint64_t) + 1);
    CodePage& page = *reinterpret_cast<CodePage*>(storage.data());
    page.number = line / lines_per_page;
    uint32_t word = page.presence[line % lines_per_page];
    if (word == 0) {
      Outcome outcome = machine_.outcome_of(machine_.fetch_line(line, stamp_, page));
      if (outcome.l1_misses != 0) first_class_ = machine_.fetch_class(line, stamp_, outcome);
      return outcome;
    }
    code_[(word - kCodeOffset) / sizeof(CodePlace)].stamp = page.stamp = stamp_;
    return {};
  }

  // Loads these lines, each of which occurs once, as late loads.
  void replay_access(const std::vector<uint64_t>& lines) {
    for (size_t i = 0; i < lines.size(); ++i)
      machine_.replay_access(lines[i], stamp_ += 2, static_cast<uint32_t>(lines.size() - 1 - i));
  }

  void flush(uint64_t address) { machine_.flush(address / geometry_.line_bytes); }

  void apply_invalidations() { machine_.apply_invalidations(); }
  void defer_invalidations(bool defer) { machine_.defer_invalidations(defer); }
  void seal_invalidations() { machine_.seal_invalidations(); }
  void apply_sealed_invalidations() { machine_.apply_sealed_invalidations(); }

  [[nodiscard]] uint64_t calls() const { return calls_; }
  // Class of the last first-level miss.
  [[nodiscard]] MissClass first_class() const { return first_class_; }
  // Result for the last data access that missed a cache or TLB.
  [[nodiscard]] record::WhatIf what_if() const { return what_if_; }

 private:
  static constexpr uint16_t kDataOffset = 48;
  static constexpr uint32_t kCodeOffset = 24;

  MachineGeometry geometry_;
  std::vector<uint16_t> hints_;
  std::vector<DataPlace> data_;
  std::vector<StorePlace> stores_;
  std::vector<CodePlace> code_;
  Storage storage_;
  Machine machine_;
  std::unordered_map<uint64_t, std::vector<uint64_t>> pages_;
  uint64_t stamp_ = 0;
  uint64_t calls_ = 0;
  MissClass first_class_ = MissClass::kNone;
  record::WhatIf what_if_{};
};

}  // namespace hm::model
