// SPDX-License-Identifier: MIT
// Counts made-up words and sorts them.
import java.util.HashMap;

public class Words {
  public static void main(String[] arguments) {
    HashMap<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < 200000; ++i) counts.merge("word" + (i * 7919L) % 5000, 1, Integer::sum);
    System.out.println(counts.keySet().stream().sorted().limit(10).toList());
  }
}
