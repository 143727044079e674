// SPDX-License-Identifier: MIT
#include "app/measure/sampling_words.h"
#include "cli/program_options.h"

namespace hm::cli {
namespace {

constexpr const char* kHeap = "The heap (software PMU)";
constexpr const char* kKernels = "More with each sample (the kernel's PMU)";

void add_heap_options(CommandLine& line, measure::SamplingOptions& options) {
  line.add_flag("--no-heap-blocks", options.no_heap_blocks,
                "do not note which block of the heap the data of a sample lies in, and who allocated it")
      .group(kHeap);
  line.add_option("--allocator", options.allocators,
                  "a function of the program's own that allocates, beside malloc and its like: its result is "
                  "the block, the argument with this number (1 if there is none) its size; may be given "
                  "several times")
      .one_at_a_time()
      .type("NAME[:ARGUMENT]")
      .group(kHeap);
}

}  // namespace

void add_sampling_options(CommandLine& line, measure::SamplingOptions& options) {
  line.add_option("-c,--count", options.period,
                  "take a sample every so many events; of the clock, every so much time, such as 100us")
      .check(measure::check_period, "")
      .type("PERIOD");
  line.add_option("-F,--freq", options.frequency_hz, "so many samples a second instead (the kernel's PMU)")
      .between(uint64_t{1}, uint64_t{1000000})
      .type("HZ");
  line.add_flag("--no-jitter", options.no_jitter,
                "periods of exactly that length; else the software PMU's vary a little");
  line.add_flag(
          "--llc", options.occupancy,
          "record besides who holds the last-level cache, ten times a second, or every so many ms "
          "(--llc=20). Under the software PMU, programs with commas that stand alone between them run beside "
          "each other, and share it")
      .check(measure::check_occupancy, "")
      .type("MS");
  line.add_option("-b,--branch-filter", options.branches,
                  "record the last branches with each sample: any (the default), call, ret, and of hardware "
                  "ind_call, ind_jmp, cond, u, k")
      .value_may_be_left_out()
      .check(measure::check_branches, "any,call,ret")
      .type("")
      .show_default("any");
  line.add_flag("-g", options.call_chains, "record who called, with each sample; as --call-graph dwarf");
  line.add_option("--call-graph", options.call_graph,
                  "the same, by frame pointers (fp), by the stack and the programs' unwind tables (dwarf; of "
                  "so many bytes of the stack) or by branch records (lbr); no: no callers")
      .check(measure::check_call_graph, "")
      .type("fp|dwarf[,BYTES]|lbr|no");
  line.add_flag("--jit-names", options.jit_names,
                "have Node.js, the JVM, Python (from 3.12 on), .NET and Erlang name the code that they "
                "compile, by environment variables");
  line.add_option("--keep-symbols", options.keep_symbols,
                  "copy programs, libraries and maps of compiled code to ~/.debug (perf's cache), where the "
                  "recording finds them: those that are deleted or in a container (lost, the default), all, "
                  "or none (never)")
      .one_of({"lost", "all", "never"})
      .type("");
  add_heap_options(line, options);
  line.add_flag("-d,--data", options.addresses, "data addresses").group(kKernels);
  line.add_flag("--phys-data", options.physical_addresses, "physical addresses").group(kKernels);
  line.add_flag("--page-sizes", options.page_sizes, "the sizes of data and code pages").group(kKernels);
  line.add_flag("-W,--weight", options.weights, "latencies").group(kKernels);
  line.add_flag("-I,--intr-regs", options.registers, "registers").group(kKernels);
  line.add_option("-m,--ring", options.ring_kib, "the ring of each CPU, in KiB, a power of two")
      .check(measure::check_ring, "")
      .type("KIB")
      .group(kKernels);
}

}  // namespace hm::cli
