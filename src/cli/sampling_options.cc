// SPDX-License-Identifier: MIT
#include "app/measure/sampling_arguments.h"
#include "cli/program_options.h"

namespace hm::cli {
namespace {

constexpr const char* kHeap = "The heap (software PMU)";
constexpr const char* kKernels = "More with each sample (the kernel's PMU)";

void add_heap_options(CommandLine& line, measure::SamplingOptions& options) {
  line.add_flag("--no-heap-blocks", options.no_heap_blocks,
                "do not record the heap block of a sample's data and the code that allocated it")
      .group(kHeap);
  line.add_option(
          "--allocator", options.allocators,
          "an allocator of the program besides malloc and its relatives: it returns the block, and ARGUMENT is the number of its size argument (default 1); may be given several times")
      .one_at_a_time()
      .type("NAME[:ARGUMENT]")
      .group(kHeap);
}

}  // namespace

void add_sampling_options(CommandLine& line, measure::SamplingOptions& options) {
  line.add_option("-c,--count", options.period,
                  "sampling period: a number of events, or for the clock a time, such as 100us")
      .check(measure::check_period, "")
      .type("PERIOD");
  line.add_option("-F,--freq", options.frequency_hz,
                  "samples per second instead of a period (the kernel's PMU)")
      .between(uint64_t{1}, uint64_t{1000000})
      .type("HZ");
  line.add_flag("--no-jitter", options.no_jitter,
                "use periods of exactly this length (default: the software PMU varies them by up to half)");
  line.add_flag(
          "--llc", options.occupancy,
          "also record the occupancy of the last-level cache, ten times a second, or every MS milliseconds (--llc=20). With the software PMU, programs separated by a lone comma argument run side by side and share the cache")
      .check(measure::check_occupancy, "")
      .type("MS");
  line.add_option(
          "-b,--branch-filter", options.branches,
          "record the last branches with each sample: any (the default), call, ret, and of hardware ind_call, ind_jmp, cond, u, k")
      .value_may_be_left_out()
      .check(measure::check_branches, "any,call,ret")
      .type("")
      .show_default("any");
  line.add_flag("-g", options.call_chains, "record call chains, as --call-graph dwarf");
  line.add_option(
          "--call-graph", options.call_graph,
          "record call chains by frame pointers (fp), by a copy of the stack and unwind tables (dwarf, or dwarf,BYTES of the stack) or by branch records (lbr); no: no call chains")
      .check(measure::check_call_graph, "")
      .type("fp|dwarf[,BYTES]|lbr|no");
  line.add_flag(
      "--jit-names", options.jit_names,
      "set environment variables with which Node.js, the JVM, Python (from 3.12 on), .NET and Erlang name the code that they compile");
  line.add_option(
          "--keep-symbols", options.keep_symbols,
          "copy programs, libraries and maps of compiled code to ~/.debug (perf's cache), where the recording finds them: those that are deleted or in a container (lost, the default), all, or none (never)")
      .one_of({"lost", "all", "never"})
      .type("");
  add_heap_options(line, options);
  line.add_flag("-d,--data", options.addresses, "data addresses").group(kKernels);
  line.add_flag("--phys-data", options.physical_addresses, "physical addresses").group(kKernels);
  line.add_flag("--page-sizes", options.page_sizes, "record the sizes of data and code pages")
      .group(kKernels);
  line.add_flag("-W,--weight", options.weights, "latencies").group(kKernels);
  line.add_flag("-I,--intr-regs", options.registers, "registers").group(kKernels);
  line.add_option("-m,--ring", options.ring_kib, "size of each CPU's ring in KiB, a power of two")
      .check(measure::check_ring, "")
      .type("KIB")
      .group(kKernels);
}

}  // namespace hm::cli
