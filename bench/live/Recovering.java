// SPDX-License-Identifier: MIT
// Answers GET /N with the sum of i * i for i below N, through null pointers that are caught, while one thread
// asks for safepoints without end. java Recovering PORT.
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

public class Recovering {
  static final class Box {
    long value;
  }

  static volatile Box none;

  static long squares(int count) {
    long sum = 0;
    for (int i = 0; i < count; ++i) {
      sum += (long) i * i;
      if (i % 100 != 0) continue;
      try {
        sum += none.value + 1;
      } catch (NullPointerException expected) {
        continue;
      }
    }
    return sum;
  }

  public static void main(String[] words) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(words[0])), 0);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.createContext("/", exchange -> {
      byte[] answer = Long.toString(squares(Integer.parseInt(exchange.getRequestURI().getPath().substring(1)))).getBytes();
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    server.start();
    while (true) {
      Thread.getAllStackTraces();
      Thread.sleep(1);
    }
  }
}
