// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** BoxedCollection [mended]: adds up a list of boxed numbers, whose objects lie in no order. Mended: an array. */
final class BoxedCollection {
  static long total(List<Integer> numbers) {
    long total = 0;
    for (int each : numbers) total += each;
    return total;
  }

  static long total(int[] numbers) {
    long total = 0;
    for (int each : numbers) total += each;
    return total;
  }

  public static void main(String[] arguments) {
    List<Integer> boxed = new ArrayList<>();
    for (int i = 0; i < 300_000; i++) boxed.add(1000 + i * 7);
    Collections.shuffle(boxed, new Random(1));
    int[] numbers = boxed.stream().mapToInt(Integer::intValue).toArray();
    boolean mended = arguments.length == 1 && arguments[0].equals("mended");
    long total = 0;
    for (int round = 0; round < 40; round++) total += mended ? total(numbers) : total(boxed);
    System.out.println(total);
  }
}
