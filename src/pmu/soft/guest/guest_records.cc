// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/guest_records.h"

#include "pmu/soft/ring/system_call.h"

namespace hm::soft::guest {

std::optional<KernelReport> GuestRecords::report_at(uint64_t address) const {
  if (address == layout_.reports.mapping) return KernelReport::kMapping;
  if (address == layout_.reports.name) return KernelReport::kName;
  if (address == layout_.reports.fork) return KernelReport::kFork;
  if (address == layout_.reports.exit) return KernelReport::kExit;
  return std::nullopt;
}

Origin GuestRecords::origin_of(const Task& task) const { return {task.pid, task.tid, monotonic_ns()}; }

void GuestRecords::write(RecordBuilder record) { record.write_to(ring_); }

void GuestRecords::begin() {
  tasks_.for_each(
      [this](const Task& task) { write(comm_record(origin_of(task), task.name.c_str(), false)); });
}

void GuestRecords::report(unsigned cpu, KernelReport what, uint64_t argument, uint64_t second) {
  if (what == KernelReport::kMapping) {
    NamedMapping named = tasks_.mapping_at(argument);
    named.mapping.name = named.name.c_str();
    return write(mapping_record(origin_of(tasks_.read(tasks_.current(cpu))), named.mapping));
  }
  Task task = tasks_.read(argument);
  Origin origin = origin_of(task);
  if (what == KernelReport::kName) {
    write(comm_record(origin, task.name.c_str(), (second & 1) != 0));
  } else if (what == KernelReport::kFork) {
    Task parent = tasks_.read(tasks_.current(cpu));
    write(fork_record(origin, parent.pid, parent.tid));
  } else {
    write(exit_record(origin));
  }
}

void GuestRecords::sample(const DueSample& due) {
  Task task = tasks_.read(tasks_.current(due.cpu));
  Moment moment;
  moment.pid = task.pid;
  moment.tid = task.tid;
  moment.time_ns = monotonic_ns();
  moment.run_cycles = due.run_cycles;
  moment.in_kernel = due.mode == Mode::kKernel;
  moment.has_registers = due.at_instruction;
  if (due.at_instruction) moment.registers = registers_.all(due.cpu, due.cause.ip);
  moment.physical_address = due.physical_address;
  std::string object;
  if (has_data_address(due.cause) && GuestAddress::is_kernel(due.cause.address))
    object = objects_.name_of(due.cause.address, due.physical_address);
  if (!object.empty()) moment.kernel_object = object.c_str();
  write(sample_record(session_, due.id, due.period, due.cause, moment));
}

}  // namespace hm::soft::guest
