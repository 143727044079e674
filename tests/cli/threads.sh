#!/bin/bash
# SPDX-License-Identifier: MIT
# Threads, signals and run-time generated code: programs print the same as natively: threads.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
crowd=$2/crowd
copied() { timeout -k 1 600 "$hardmeter" stat --engine=direct -o counted -- "$@" 2>&1 </dev/null; }

# as_natively COMMAND...
as_natively() {
  local native
  native=$(timeout 600 "$@" 2>&1 </dev/null; echo "status $?")
  expect "$*" "$native" "$(copied "$@"; echo "status $?")"
}

for mode in signals alarms traps; do as_natively taskset -c 0 "$crowd" $mode; done

if command -v javac java >/dev/null; then
  cat >Crowd.java <<'P'
import java.util.HashMap;
import java.util.Map;

public class Crowd {
  static class Node { Node next; int value; }

  static int follow(Node node, int steps) {  // off the end, by a fault that the machine catches
    int sum = 0;
    try {
      for (int i = 0; i < steps; i++) { sum += node.value; node = node.next; }
    } catch (NullPointerException end) { sum++; }
    return sum;
  }

  public static void main(String[] arguments) throws Exception {
    Node chain = null;
    for (int i = 0; i < 100; i++) { Node node = new Node(); node.next = chain; node.value = i; chain = node; }
    Map<Integer, String> map = new HashMap<>();
    long sum = 0;
    for (int i = 0; i < 200000; i++) { map.put(i % 5000, "v" + i); sum += map.get(i % 777).length(); }
    for (int i = 0; i < 20000; i++) sum += follow(chain, 99 + i % 3);
    Thread[] threads = new Thread[4];
    for (int k = 0; k < threads.length; k++) {
      threads[k] = new Thread(() -> {
        long x = 0;
        for (int i = 0; i < 1000000; i++) x += i % 7;
        synchronized (map) { map.put(-1, "" + x); }
      });
      threads[k].start();
    }
    for (Thread each : threads) each.join();
    System.out.println(sum + " " + map.get(-1));
  }
}
P
  javac Crowd.java
  for options in -XX:TieredStopAtLevel=1 -XX:+UseSerialGC; do as_natively java $options -cp . Crowd; done
  natively=$(java -cp . Crowd)
  for i in 1 2 3; do (copied java -cp . Crowd; echo "status $?") >said$i & done  # more runnable threads than processors
  wait
  for i in 1 2 3; do expect "three Java machines at once" "$natively"$'\nstatus 0' "$(cat said$i)"; done
else
  skipped "there is no Java here"
fi
finish
