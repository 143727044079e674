// SPDX-License-Identifier: MIT
// Interface for the translator's queries about the program that it copies.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/translate/restartable_sequence.h"
#include "pmu/soft/sampling/address_sources.h"

namespace hm::soft::direct {

class ProgramFacts {
 public:
  // Returns true if the engine executes instructions whose result depends on the processor.
  [[nodiscard]] virtual bool is_machine_defined() const { return false; }

  // Called before a block is read: memory that was readable before may no longer be.
  virtual void begin_block() {}

  // Returns the end of the memory that holds `address` and may be read as code; 0 if there is none.
  [[nodiscard]] virtual uint64_t executable_end(uint64_t address) const = 0;

  // Returns true if the code at `address` may change without a write fault, so that its copy has to check.
  [[nodiscard]] virtual bool is_checked(uint64_t /*address*/) const { return false; }

  // is_entry() returns true if a function inside which threads are collected begins at `address`,
  // is_allocator() if an allocator does. A block ends before either.
  [[nodiscard]] virtual bool is_entry(uint64_t address) const = 0;
  [[nodiscard]] virtual bool is_allocator(uint64_t address) const = 0;

  // Returns the argument with which the copy of the code at `address` calls the thunk kHeap; 0: it does not
  // call.
  [[nodiscard]] virtual uint32_t heap_point(uint64_t address) const = 0;

  // Returns true if the program shares memory with other processes, so that it has to look for their
  // invalidations.
  [[nodiscard]] virtual bool has_common_memory() const = 0;

  // Returns the offset, from a core, of the presence words of the page that holds `address`; 0: fetches from
  // the page are not modelled.
  virtual uint32_t code_page_offset(uint64_t address) = 0;

  // Returns the number of a new branch site; `to` is 0 for an indirect branch.
  virtual uint32_t add_branch_site(uint64_t from, uint64_t to) = 0;

  // Restartable sequences (restartable_sequence.h). If there are any, look_for_descriptor() is called with
  // each constant of the code, which may be the address of a sequence's descriptor.
  [[nodiscard]] virtual bool has_sequences() const { return false; }
  virtual void look_for_descriptor(uint64_t /*constant*/) {}
  [[nodiscard]] virtual bool begins_sequence(uint64_t /*address*/) const { return false; }
  // Finds the sequence that contains `address`. Returns false if there is none.
  [[nodiscard]] virtual bool find_sequence(uint64_t /*address*/, RestartableSequence& /*out*/) const {
    return false;
  }
  // Returns the four bytes that the kernel expects before an abort address.
  [[nodiscard]] virtual uint32_t abort_signature() const { return 0; }

  // Called with the loads that give the address of a load in a copy.
  virtual void add_address_sources(const AddressSources& /*sources*/) {}

 protected:
  ~ProgramFacts() = default;
};

}  // namespace hm::soft::direct
