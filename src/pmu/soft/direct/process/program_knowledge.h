// SPDX-License-Identifier: MIT
// Implements the translator's queries about the program with the engine's data.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/code/address_space.h"
#include "pmu/soft/direct/program/branch_sites.h"
#include "pmu/soft/direct/program/collection.h"
#include "pmu/soft/direct/program/common_models.h"
#include "pmu/soft/direct/program/heap.h"
#include "pmu/soft/direct/schedule/code_pages.h"
#include "pmu/soft/direct/translate/program_facts.h"
#include "pmu/soft/direct/translate/restartable_sequences.h"

namespace hm::soft::direct {

class ProgramKnowledge final : public ProgramFacts {
 public:
  constexpr ProgramKnowledge(const Plan& plan, const AddressSpace& space, RestartableSequences& sequences,
                             const Collection& collection, const Heap& heap, CommonModels& common,
                             CodePageTable& code_pages, BranchSites& branch_sites,
                             AddressSourceTable& address_sources)
      : plan_(plan),
        space_(space),
        sequences_(sequences),
        collection_(collection),
        heap_(heap),
        common_(common),
        code_pages_(code_pages),
        branch_sites_(branch_sites),
        address_sources_(address_sources) {}

  [[nodiscard]] bool is_machine_defined() const override { return plan_.state_components != 0; }
  void begin_block() override { readable_[0] = readable_[1] = kNoPage; }
  [[nodiscard]] uint64_t executable_end(uint64_t address) const override;
  [[nodiscard]] bool is_checked(uint64_t address) const override {
    return space_.is_checked(address & ~(kPageBytes - 1));
  }
  [[nodiscard]] bool is_entry(uint64_t address) const override { return collection_.is_entry(address); }
  [[nodiscard]] bool is_allocator(uint64_t address) const override { return heap_.is_allocator(address); }
  [[nodiscard]] uint32_t heap_point(uint64_t address) const override { return heap_.point_at(address); }
  [[nodiscard]] bool has_common_memory() const override { return common_.has_common_memory(); }
  uint32_t code_page_offset(uint64_t address) override { return code_pages_.offset_of(address); }
  uint32_t add_branch_site(uint64_t from, uint64_t to) override { return branch_sites_.add({from, to}); }
  [[nodiscard]] bool has_sequences() const override { return sequences_.are_used(); }
  void look_for_descriptor(uint64_t constant) override { sequences_.learn(constant); }
  [[nodiscard]] bool begins_sequence(uint64_t address) const override {
    return sequences_.begins_at(address);
  }
  [[nodiscard]] bool find_sequence(uint64_t address, RestartableSequence& out) const override {
    return sequences_.find(address, out);
  }
  [[nodiscard]] uint32_t abort_signature() const override { return sequences_.signature(); }
  void add_address_sources(const AddressSources& sources) override { address_sources_.add(sources); }

 private:
  static constexpr uint64_t kNoPage = 1, kPageBytes = 4096;

  [[nodiscard]] bool is_readable(uint64_t page) const;

  const Plan& plan_;
  const AddressSpace& space_;
  RestartableSequences& sequences_;
  const Collection& collection_;
  const Heap& heap_;
  CommonModels& common_;
  CodePageTable& code_pages_;
  BranchSites& branch_sites_;
  AddressSourceTable& address_sources_;
  mutable uint64_t readable_[2] = {kNoPage, kNoPage};  // the pages that were found readable last
};

}  // namespace hm::soft::direct
