#!/bin/bash
# SPDX-License-Identifier: MIT
# The processor and the kernel handle what the engine cannot copy or do: programs print and end as they do natively.
# left_to_kernel.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
programs=$2
needs_engine

# as_natively PROGRAM...: compares the exact mode and bursts with a native run. Addresses are the same in each run.
as_natively() {
  local native found detail
  native=$(timeout 120 setarch -R "$@" 2>/dev/null </dev/null; echo "status $?")
  for detail in exact bursts; do
    found=$(timeout 300 "$hardmeter" stat --engine=direct --detail $detail -o counted -- "$@" 2>said </dev/null; echo "status $?")
    expect "$* ($detail; $(head -c 300 said))" "$native" "$found"
  done
}

for way in null_call null_jump null_return data unmapped protected_page end_of_page within_instruction behind_file undefined halts \
    interrupts no_instruction no_vex locked_nop; do
  as_natively "$programs/nowhere" $way handled
  as_natively "$programs/nowhere" $way
done
as_natively "$programs/nowhere" mapped_later handled
for way in far_transfers interrupt_return single_steps steps_over_calls system_call_flags; do as_natively "$programs/nowhere" $way; done

for way in other_segment kept_flags masks call_numbers; do as_natively "$programs/rare_returns" $way; done

for way in two_mappings another_process by_system_calls into_what_follows on_stack protection_keys by_memory_file; do
  as_natively "$programs/changing_code" $way
done

for way in write_xor_execute sealed many_pages thrown_away truncated detached long_reads failing_calls; do
  as_natively "$programs/lost_code" $way
done

for way in locked killed_in_vfork memory_child killed_after_fork killed_memory_children stopped; do as_natively "$programs/left_alone" $way; done
for way in listed unmapped mapped moved; do as_natively "$programs/any_addresses" $way; done

as_natively "$programs/alignment_check"
as_natively "$programs/first_thread"
native=$("$programs/alignment_check")
for more in "-e branch_mispredict,memory_loads" "--as typical"; do
  expect "alignment checks with $more" "$native" "$("$hardmeter" stat --engine=direct $more -o counted -- "$programs/alignment_check" 2>&1)"
done

for way in strict allow_list refuses handled all_threads other_stack_pointers one_thread user_dispatch time_stamps child traced; do
  as_natively "$programs/sandboxes" $way
done
"$hardmeter" stat --engine=direct -o counted -- "$programs/sandboxes" allow_list >out 2>said
expect_match "a sandbox: what was not measured" "1 process installed a system call filter .*unmeasured" "$(cat counted)"
"$hardmeter" stat --engine=direct -o counted -- "$programs/sandboxes" child >out 2>said
expect "a sandbox: nothing was cut short" "" "$(grep 'cut short' counted)"
(ulimit -v 400000; "$hardmeter" stat --engine=direct -o counted -- "$programs/sandboxes" one_thread >out 2>said; echo $? >status)
expect "without memory for the engine: status ($(cat said))" 0 "$(cat status)"
expect_match "without memory for the engine: the program" "one thread: [0-9]+" "$(cat out)"
finish
