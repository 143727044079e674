// SPDX-License-Identifier: MIT
import java.util.HashMap;
import java.util.Map;

/** Groups numbers in a hash map and adds them up. */
final class Lists {
  static long total(Map<Integer, Long> sums) {
    long total = 0;
    for (long each : sums.values()) total += each;
    return total;
  }

  public static void main(String[] arguments) {
    Map<Integer, Long> sums = new HashMap<>();
    int random = 1;
    for (int i = 0; i < 300_000; i++) {
      random = random * 1664525 + 1013904223;
      sums.merge(random >>> 16, (long) i, Long::sum);
    }
    System.out.println(total(sums));
  }
}
