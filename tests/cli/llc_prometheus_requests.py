#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Requests that are wrong, long, slow or for something else; then metrics are still served.
   llc_prometheus_requests.py URL"""
import socket
import sys
import urllib.parse
import urllib.request

url = sys.argv[1]
where = (urllib.parse.urlsplit(url).hostname, urllib.parse.urlsplit(url).port)
HEAD_END = b" HTTP/1.1\r\nHost: x\r\n\r\n"
problems = []


def answer(request):
    """All that comes until the server closes, which it has to within a minute; "" where it just closes."""
    with socket.create_connection(where) as connection:
        connection.settimeout(60)
        got = b""
        try:
            connection.sendall(request)
            while part := connection.recv(65536):
                got += part
        except ConnectionError:
            pass  # the server closed before it had read everything
        return got


def expect(request, *statuses):
    got = answer(request)
    status = got.split(b" ")[1].decode() if got else ""
    if status not in statuses:
        problems.append(f"{request[:60]!r}: {got[:60]!r}, not one of {statuses}")
    return got


full = expect(b"GET /metrics" + HEAD_END, "200")
if b"\r\nContent-Type: text/plain; version=0.0.4" not in full:
    problems.append(f"no content type: {full[:200]!r}")
head = expect(b"HEAD /metrics" + HEAD_END, "200")
if not head.endswith(b"\r\n\r\n"):
    problems.append("HEAD has a body")
expect(b"GET /metrics?name=x" + HEAD_END, "200")
for path in (b"/", b"/metricsx", b"/metrics/", b"/metrics/x", b"/../../etc/passwd", b"//etc/passwd", b"/%2e%2e/etc/passwd", b"/a" * 1000):
    expect(b"GET " + path + HEAD_END, "404", "400")
for method in (b"POST", b"PUT", b"DELETE", b"OPTIONS", b"PROPFIND", b"MKCOL"):
    expect(method + b" /metrics" + HEAD_END, "405", "400")
for bad in (b"\0\0\0\0\r\n\r\n", b"GET\r\n\r\n", b"\r\n\r\n", b"GET /%00" + HEAD_END, b"GET /%zz" + HEAD_END,
            b"GET " + b"/a" * 10000 + HEAD_END, b"GET /metrics HTTP/1.1\r\n" + b"X: y\r\n" * 3000 + b"\r\n",
            b"GET /metrics HTTP/9.9\r\n\r\n", b"\xff" * 100000, b"OPTIONS *" + HEAD_END):
    expect(bad, "", "400", "404", "405", "414", "431", "505")
expect(b"GET /metrics HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n", "200")
# Half a request, and an empty one: the server ends them.
expect(b"GET /metrics", "", "400", "408")
expect(b"", "", "400", "408")
# More idle connections than the server allows at a time.
idle = [socket.create_connection(where) for _ in range(150)]
expect(b"GET /metrics" + HEAD_END, "200")
for each in idle:
    each.close()

# Sequential clients that do not wait for all of their response.
for _ in range(300):
    with socket.create_connection(where) as connection:
        connection.sendall(b"GET /metrics" + HEAD_END)
        connection.recv(10)
expect(b"GET /metrics" + HEAD_END + b"GET /metrics" + HEAD_END, "200")

if urllib.request.urlopen(url).status != 200:
    problems.append("it serves no more")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
