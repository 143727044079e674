// SPDX-License-Identifier: MIT
#include "app/measure/soft/stack_unwinder.h"

#include <asm/perf_regs.h>

#include <cstring>
#include <optional>
#include <string>

#include "app/mapped_files.h"
#include "pmu/soft/sampling/sample_record.h"
#include "profile/register_values.h"
#include "record/perf_record.h"
#include "symbol/unwind/unwind.h"

namespace hm::measure {
namespace {

perf_event_attr without_chain(perf_event_attr attr) {
  attr.sample_type &= ~uint64_t{PERF_SAMPLE_CALLCHAIN};
  return attr;
}

bool may_have_rules(const std::string& path) { return app::MappedFiles::is_file(path) || path == "[vdso]"; }

}  // namespace

StackUnwinder::StackUnwinder(const perf_event_attr& attr, const soft::Session& session,
                             const PassingRecords& passing)
    : recorded_(attr), sent_(without_chain(attr)), heap_site_id_(session.heap_site_id), passing_(passing) {}

Result<Bytes> StackUnwinder::add_to(Bytes record) {
  perf_event_header header;
  std::memcpy(&header, record.data(), sizeof(header));
  if (header.type == soft::kStackRecord) {
    keep(record);
    return Bytes();
  }
  if (header.type != PERF_RECORD_SAMPLE) return record;
  Bytes fields = record.subspan(sizeof(header));
  if (ByteReader(fields).u64() == heap_site_id_)
    return record;  // an allocation site record, recognised by its identifier
  Result<record::Sample> sample = record::decode_sample(sent_, fields, false);
  if (!sample) return sample.error();
  find_callers(*sample);
  sample->callchain = record::U64View(chain_);
  ByteWriter payload;
  record::encode_sample(recorded_, *sample, payload);
  ByteWriter whole;
  if (Status fits = record::append_record(whole, header.type, header.misc, payload.bytes()); !fits)
    return fits.error();
  record_ = std::move(whole).take();
  return Bytes(record_);
}

void StackUnwinder::keep(Bytes record) {
  soft::StackRecord part;
  if (record.size() < sizeof(part)) return;
  std::memcpy(&part, record.data(), sizeof(part));
  Stack& stack = stacks_[part.tid];
  if (part.address == part.stack_pointer) stack = {part.stack_pointer, {}};
  Bytes bytes = record.subspan(sizeof(part));
  stack.bytes.insert(stack.bytes.end(), bytes.begin(), bytes.end());
}

// Builds the chain in the kernel's format: the current address, then the return address of each call. An
// address outside of mapped code ends the chain.
void StackUnwinder::find_callers(const record::Sample& sample) {
  const Stack& stack = stacks_[sample.tid];
  const profile::NumberedSpace& code = passing_.code_of(sample.pid);
  std::vector<uint64_t> places;
  symbol::unwind(
      profile::register_values(sample.intr_regs), symbol::StackCopy(stack.address, stack.bytes),
      [&](uint64_t address) { return rule_at(code, address); }, places);
  chain_.assign(1, static_cast<uint64_t>(PERF_CONTEXT_USER));
  for (uint64_t place : places) {
    bool is_first = chain_.size() == 1;
    if (!is_first && code.mappings.find(place) == nullptr) break;
    chain_.push_back(is_first ? place : place + 1);
  }
}

const symbol::Object& StackUnwinder::object_of(uint32_t file) const {
  if (file >= objects_.size()) objects_.resize(file + 1);
  if (objects_[file] == nullptr) objects_[file] = &resolver_.object(passing_.readable_path(file), "");
  return *objects_[file];
}

const symbol::FrameRule* StackUnwinder::rule_in_file(const profile::Mapping& mapping,
                                                     uint64_t address) const {
  const std::string& path = passing_.path(mapping.dso);
  if (!may_have_rules(path)) return nullptr;
  const symbol::Object& file = object_of(mapping.dso);
  std::optional<uint64_t> place = file.address_of(mapping.offset + (address - mapping.start));
  return place ? file.frame_rule(*place) : nullptr;
}

// Uses frame pointers if a file has no unwind tables, as for assembly code and just-in-time compiled code.
const symbol::FrameRule* StackUnwinder::rule_at(const profile::NumberedSpace& code, uint64_t address) {
  return known_.find(code.version, address, [&]() -> const symbol::FrameRule* {
    const profile::Mapping* mapping = code.mappings.find(address);
    if (mapping == nullptr) return nullptr;
    const symbol::FrameRule* rule = rule_in_file(*mapping, address);
    return rule != nullptr ? rule : &symbol::frame_pointer_rule();
  });
}

}  // namespace hm::measure
