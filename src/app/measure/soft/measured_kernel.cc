// SPDX-License-Identifier: MIT
#include "app/measure/soft/measured_kernel.h"

#include <fmt/format.h>

#include "base/hex.h"
#include "record/whole_records.h"
#include "symbol/files/kept_files.h"

namespace hm::measure {

Status MeasuredKernel::write_records(const perf_event_attr& attr, const pmu::Sink& sink) const {
  ByteWriter out;
  linux_pmu::describe_kernel(read_, attr, out);
  Status written;
  record::for_each_record(out.bytes(), [&](const perf_event_header&, Bytes record) {
    if (written.ok()) written = sink(record);
  });
  return written;
}

void MeasuredKernel::describe(record::Features& features, app::KeepSymbols keep) const {
  size_t before = features.build_ids.size();
  linux_pmu::add_kernel_build_id(read_, features);
  if (features.build_ids.size() == before) return;  // no program has begun
  const record::BuildId kernel = features.build_ids.back();
  std::string modules = read_("/proc/modules").value_or("");
  for (const std::string& each : linux_pmu::module_names(modules)) {
    features.build_ids.push_back(kernel);
    features.build_ids.back().path = fmt::format("[{}]", each);
  }
  if (keep == app::KeepSymbols::kNever) return;
  // Without a copy, the recording still has the addresses.
  (void)symbol::keep_kernel(hex_of(kernel.id), {read_("/proc/kallsyms").value_or(""), std::move(modules),
                                                read_("/proc/kcore").value_or("")});
}

}  // namespace hm::measure
