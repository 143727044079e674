// SPDX-License-Identifier: MIT
#include "pmu/linux/tracing_data.h"

#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <map>
#include <string_view>

#include "base/bytes.h"

namespace hm::linux_pmu {
namespace {

// Mount points of the tracing file system: Documentation/trace/ftrace.rst.
constexpr const char* kRoots[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

// Writes "\x17\x08\x44tracing", the version, and the byte order and sizes of the machine.
void put_head(ByteWriter& out) {
  out.text("\x17\x08\x44tracing");
  out.text(std::string_view("0.6\0", 4));
  out.u8(std::endian::native == std::endian::big ? 1 : 0);
  out.u8(sizeof(long));
  out.u32(static_cast<uint32_t>(::sysconf(_SC_PAGESIZE)));
}

void put_name(std::string_view name, ByteWriter& out) {
  out.text(name);
  out.u8(0);
}

void put_file(Kernel& kernel, const std::string& path, ByteWriter& out) {
  std::string text = kernel.file(path).value_or("");
  if (!text.empty()) text += '\n';
  out.u64(text.size());
  out.text(text);
}

// Writes the events' formats, grouped by subsystem.
void put_events(Kernel& kernel, const std::string& root, const std::vector<std::string>& tracepoints,
                ByteWriter& out) {
  std::map<std::string, std::vector<std::string>> by_system;
  for (const std::string& each : tracepoints) {
    size_t colon = each.find(':');
    if (colon != std::string::npos) by_system[each.substr(0, colon)].push_back(each.substr(colon + 1));
  }
  out.u32(static_cast<uint32_t>(by_system.size()));
  for (const auto& [system, names] : by_system) {
    put_name(system, out);
    out.u32(static_cast<uint32_t>(names.size()));
    for (const std::string& name : names)
      put_file(kernel, fmt::format("{}/events/{}/{}/format", root, system, name), out);
  }
}

}  // namespace

std::string tracing_folder(Kernel& kernel) {
  for (const char* root : kRoots) {
    if (!kernel.folder(fmt::format("{}/events", root)).empty()) return root;
  }
  return {};
}

std::vector<std::byte> tracing_data(Kernel& kernel, const std::vector<std::string>& tracepoints) {
  std::string root = tracing_folder(kernel);
  ByteWriter out;
  put_head(out);
  for (std::string_view header : {"header_page", "header_event"}) {
    put_name(header, out);
    put_file(kernel, fmt::format("{}/events/{}", root, header), out);
  }
  out.u32(0);  // formats of ftrace's own records
  put_events(kernel, root, tracepoints, out);
  out.u32(0);  // kernel symbols: perf has them from other records
  std::string formats = kernel.file(root + "/printk_formats").value_or("");
  out.u32(static_cast<uint32_t>(formats.size()));
  out.text(formats);
  out.u64(0);  // process names: the recording's COMM records have them
  return std::move(out).take();
}

}  // namespace hm::linux_pmu
