// SPDX-License-Identifier: MIT
#include "profile/data_objects.h"

#include <asm/perf_regs.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "profile/address_space.h"
#include "profile/allocating_code.h"
#include "profile/field_table.h"
#include "profile/image_finder.h"
#include "profile/object_table.h"
#include "profile/process_table.h"
#include "profile/profile.h"
#include "profile/register_values.h"
#include "profile/sample_rows.h"
#include "profile/stack_finder.h"
#include "record/extension_pieces.h"
#include "record/sample.h"

namespace hm::profile {
namespace {

constexpr std::string_view kHeapPath = "[heap]";
constexpr unsigned kFileShift = 44;  // of file numbers in shared addresses

class ObjectPass {
 public:
  ObjectPass(const record::Reader& reader, const symbol::Resolver& resolver, bool fields, Profile& profile)
      : reader_(reader),
        profile_(profile),
        rows_(reader),
        readable_registers_(is_x86_64(profile.features)),
        knows_all_files_(profile.pmu() == "software"),
        table_(profile, resolver),
        allocating_(profile, resolver),
        images_(profile, resolver),
        stacks_(profile) {
    if (fields) fields_.emplace(profile, resolver);
  }

  void run(const RecordIndex& index, const std::vector<Change>& changes) {
    profile_.samples.object.reserve(profile_.samples.size());
    profile_.samples.field.reserve(profile_.samples.size());
    auto change = changes.begin();
    for (size_t position = 0; position < index.records.size(); ++position) {
      for (; change != changes.end() && change->position == position; ++change)
        (void)processes_.apply(*change);
      const IndexedRecord& indexed = index.records[position];
      if (indexed.is_sample()) take(indexed.record(index.swap));
    }
  }

 private:
  // Skips records that have no row in the samples, as the segments do.
  void take(const record::Record& record) {
    std::optional<size_t> event = reader_.event_of(record);
    if (!event || *event >= profile_.events.size()) return;
    const perf_event_attr& attr = reader_.events()[*event].attr;
    Result<record::Sample> sample = record::decode_sample(attr, record.payload, record.swap);
    if (sample.ok()) (void)rows_.visit(*event, *sample, [&](size_t) { add_row(*sample); });
  }

  void add_row(const record::Sample& sample) {
    Samples& samples = profile_.samples;
    place_ = {};
    size_t row = samples.object.size();
    samples.object.push_back(object_of(sample));
    if (!fields_) return;
    uint64_t address = samples.address.at(row).value_or(0);
    std::optional<uint64_t> stack_pointer = stack_pointer_of(sample);
    std::optional<int64_t> above;
    if (stack_pointer) above = static_cast<int64_t>(address - *stack_pointer);
    samples.field.push_back(
        address == 0 ? 0 : fields_->field(samples.object[row], place_, samples.location[row], above));
  }

  uint32_t object_of(const record::Sample& sample) {
    size_t row = profile_.samples.object.size();
    std::optional<uint64_t> address = profile_.samples.address.at(row);
    if (!address || *address == 0) return 0;  // an event without a memory access
    if (is_kernel_address(*address)) return table_.of_kernel(record::kernel_object_in(sample.raw));
    if (profile_.samples.heap_start.at(row)) return heap_block(profile_.samples.heap_site.at(row));
    const NumberedSpace& space = processes_.user(sample.pid);
    if (std::optional<ImagePlace> place = images_.find(space, *address)) {
      place_ = *place;
      return table_.variable(*place);
    }
    const Mapping* mapping = space.mappings.find(*address);
    if (mapping != nullptr && mapping->shared_file != 0) {
      uint64_t offset = *address - mapping->start + mapping->offset;
      uint64_t file = shared_files_.try_emplace(mapping->shared_file, shared_files_.size() + 1).first->second;
      profile_.samples.shared_address.set(row, file << kFileShift | offset % (uint64_t{1} << kFileShift));
    }
    if (mapping != nullptr && profile_.dsos[mapping->dso].path == kHeapPath)
      return table_.only(ObjectKind::kBreak);
    std::optional<uint32_t> owner = stacks_.find(
        space.mappings, mapping, {profile_.samples.thread[row], *address, stack_pointer_of(sample)});
    if (owner) return table_.stack(*owner);
    return mapping == nullptr ? unmapped() : of_mapping(*mapping);
  }

  uint32_t heap_block(std::optional<uint64_t> site) {
    if (!site) return table_.heap_block({});
    auto [found, is_new] = heap_blocks_.try_emplace(*site);
    if (is_new) found->second = table_.heap_block(allocating_.text_at(profile_.heap_sites[*site]));
    return found->second;
  }

  [[nodiscard]] std::optional<uint64_t> stack_pointer_of(const record::Sample& sample) const {
    if (!readable_registers_) return std::nullopt;
    for (uint64_t field : {PERF_SAMPLE_REGS_INTR, PERF_SAMPLE_REGS_USER}) {
      if (!sample.has(field)) continue;
      const record::Registers& registers =
          field == PERF_SAMPLE_REGS_INTR ? sample.intr_regs : sample.user_regs;
      std::optional<uint64_t> value = register_values(registers).at(PERF_REG_X86_SP);
      if (value && !is_kernel_address(*value)) return value;
    }
    return std::nullopt;
  }

  uint32_t of_mapping(const Mapping& mapping) {
    const std::string& path = profile_.dsos[mapping.dso].path;
    if (path.starts_with("/tmp/perf-"))
      return table_.only(mapping.shared_file != 0 ? ObjectKind::kShared : ObjectKind::kAnonymous);
    if (path.starts_with("[v")) return table_.only(ObjectKind::kVdso);  // [vdso], [vvar], [vsyscall]
    return path.starts_with('[') ? 0 : table_.file(mapping.dso);
  }

  // The software PMU records all mappings except anonymous memory, so an unmapped address is anonymous.
  uint32_t unmapped() { return knows_all_files_ ? table_.only(ObjectKind::kAnonymous) : 0; }

  const record::Reader& reader_;
  Profile& profile_;
  SampleRows rows_;
  bool readable_registers_;
  bool knows_all_files_;
  ProcessTable processes_;
  ObjectTable table_;
  AllocatingCode allocating_;
  std::unordered_map<uint64_t, uint32_t> heap_blocks_;   // rows, by site
  std::unordered_map<uint64_t, uint64_t> shared_files_;  // numbers, by Mapping::shared_file
  ImageFinder images_;
  StackFinder stacks_;
  std::optional<FieldTable> fields_;  // nullopt: not needed
  ImagePlace place_;                  // of the current sample, if its address lies in an image
};

}  // namespace

void find_data_objects(const record::Reader& reader, const RecordIndex& index,
                       const std::vector<Change>& changes, const symbol::Resolver& resolver, bool fields,
                       Profile& profile) {
  ObjectPass(reader, resolver, fields, profile).run(index, changes);
}

}  // namespace hm::profile
