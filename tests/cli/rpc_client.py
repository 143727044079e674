#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients of servers that speak JSON-RPC 2.0 at standard input and output, for mcp.py and lsp.py. Each message from the
server is checked against the specification."""
import json
import queue
import subprocess
import threading

PATIENCE = 300  # seconds; only a test that fails waits for so long


def check_message(message):
    """Fails unless it is a response, a request or a notification of JSON-RPC 2.0."""
    assert isinstance(message, dict) and message.get("jsonrpc") == "2.0", message
    if "method" in message:
        assert isinstance(message["method"], str) and set(message) <= {"jsonrpc", "id", "method", "params"}, message
        return
    assert set(message) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}), message
    assert message["id"] is None or isinstance(message["id"], (str, int)), message
    if "error" in message:
        error = message["error"]
        assert isinstance(error["code"], int) and isinstance(error["message"], str) and error["message"], message
        assert "\n" not in error["message"], message
    else:
        assert isinstance(message["result"], dict) or message["result"] is None or isinstance(message["result"], list)


class Client:
    """A server's client. `framed`: messages have a header with their length; otherwise each is a line."""

    def __init__(self, command, framed=False, **options):
        self.framed = framed
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        self.messages = queue.Queue()
        self.waiting = []  # messages that somebody else will take
        self.number = 0
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while True:
            text = self.read_text()
            if not text:
                break
            self.messages.put(text)
        self.messages.put(None)

    def read_text(self):
        if not self.framed:
            return self.process.stdout.readline()
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return b""
            if line == b"\r\n":
                return self.process.stdout.read(length)
            name, value = line.decode().split(": ")
            if name == "Content-Length":
                length = int(value)

    def send_bytes(self, text):
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(text), text) if self.framed else text + b"\n")

    def start(self, method, params=None):
        """Sends a request; returns its ID."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params or {}})
        return self.number

    def notify(self, method, params=None):
        self.send({"method": method, "params": params or {}})

    def next(self):
        """The server's next message; None at its end."""
        text = self.messages.get(timeout=PATIENCE)
        if text is None:
            return None
        message = json.loads(text)  # fails for anything else on standard output
        check_message(message)
        return message

    def take(self, wanted):
        """The first message for which wanted(message) holds; others are kept."""
        for message in self.waiting:
            if wanted(message):
                self.waiting.remove(message)
                return message
        while True:
            message = self.next()
            assert message is not None, "the server has ended"
            if wanted(message):
                return message
            self.waiting.append(message)

    def response(self, number):
        return self.take(lambda message: "method" not in message and message["id"] == number)

    def ask(self, method, params=None):
        """The result of a request."""
        message = self.response(self.start(method, params))
        assert "result" in message, message
        return message["result"]

    def refusal(self, method, params=None):
        """The error of a request."""
        message = self.response(self.start(method, params))
        assert "error" in message, message
        return message["error"]

    def end(self):
        """Closes the server's input; returns its exit status and the messages until then."""
        self.process.stdin.close()
        messages = self.waiting
        while (message := self.next()) is not None:
            messages.append(message)
        status = self.process.wait(PATIENCE)
        self.reader.join()
        self.process.stdout.close()
        return status, messages
