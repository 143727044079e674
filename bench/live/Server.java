// SPDX-License-Identifier: MIT
// A web server whose every answer counts words in a map.
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;

public class Server {
  public static void main(String[] arguments) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.createContext("/", exchange -> {
      Map<String, Integer> counts = new HashMap<>();
      for (int i = 0; i < 50000; i++) counts.merge("word" + i % 997, i, Integer::sum);
      byte[] answer = Integer.toString(counts.hashCode()).getBytes();
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    server.start();
  }
}
