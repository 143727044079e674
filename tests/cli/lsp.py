#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uses `hardmeter lsp` as an editor does, in a folder with a program: lsp.py HARDMETER PROGRAM SOURCE
The program of the source sums an array with a known number of L1 misses, in a line that the test finds by its text."""
import pathlib
import shutil
import subprocess
import sys
import urllib.parse

from rpc_client import Client

hardmeter, program, source = sys.argv[1:]
source = pathlib.Path(source).resolve()
TEXT = source.read_text()
EVENT = "l1_cache_miss"
HOT = next(i for i, line in enumerate(TEXT.splitlines()) if "the hot line" in line)
CAPABILITIES = {"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}},
                "workspace": {"codeLens": {"refreshSupport": True}}}


def uri_of(path):
    return "file://" + urllib.parse.quote(str(path))


def record(path):
    subprocess.run([hardmeter, "record", "-q", "--pmu=soft", "-e", EVENT, "-c", "20", "-o", path, "--", program], check=True)


def opened(*options, capabilities=None, folder="."):
    client = Client([hardmeter, "lsp", *options], framed=True)
    capabilities = CAPABILITIES if capabilities is None else capabilities
    result = client.ask("initialize", {"processId": None, "rootUri": uri_of(pathlib.Path(folder).resolve()),
                                       "capabilities": capabilities})
    assert result["capabilities"]["hoverProvider"] is True and "codeLensProvider" in result["capabilities"], result
    assert result["capabilities"]["positionEncoding"] == "utf-16", result
    client.notify("initialized")
    return client


def open_document(client, path, text=TEXT):
    client.notify("textDocument/didOpen", {"textDocument": {"uri": uri_of(path), "languageId": "c", "version": 1, "text": text}})


def diagnostics(client, path):
    """The next diagnostics of a document."""
    params = client.take(lambda each: each.get("method") == "textDocument/publishDiagnostics"
                         and each["params"]["uri"] == uri_of(path))["params"]
    for each in params["diagnostics"]:
        assert set(each) <= {"range", "severity", "source", "message", "code"} and each["severity"] in (3, 4), each
        check_range(each["range"])
        assert each["source"] == "hardmeter" and each["message"] and "\n" not in each["message"], each
    return params["diagnostics"]


def check_range(found):
    assert set(found) == {"start", "end"} and found["start"]["line"] == found["end"]["line"], found
    line = TEXT.splitlines()[found["start"]["line"]]
    units = len(line.encode("utf-16-le")) // 2
    assert 0 <= found["start"]["character"] <= found["end"]["character"] <= units, (found, line)


def lenses(client, path):
    """The titles by line."""
    found = {}
    for each in client.ask("textDocument/codeLens", {"textDocument": {"uri": uri_of(path)}}):
        check_range(each["range"])
        assert set(each["command"]) == {"title", "command"}, each
        found[each["range"]["start"]["line"]] = each["command"]["title"]
    return found


def hover(client, path, line):
    return client.ask("textDocument/hover", {"textDocument": {"uri": uri_of(path)}, "position": {"line": line, "character": 3}})


def close(client):
    assert client.ask("shutdown") is None
    client.notify("exit")
    return client.end()


def a_line_has_its_notes():
    record("hardmeter.data")
    client = opened()
    open_document(client, source)
    assert EVENT in lenses(client, source)[HOT]
    assert diagnostics(client, source) == []  # before the recording was read
    found = diagnostics(client, source)
    hot = next(each for each in found if each["range"]["start"]["line"] == HOT)
    assert hot["severity"] == 3 and EVENT in hot["message"] and "compulsory" in hot["message"], hot
    # The line has a character that takes two units of UTF-16.
    line = TEXT.splitlines()[HOT]
    assert hot["range"]["start"]["character"] == len(line) - len(line.lstrip())
    assert hot["range"]["end"]["character"] == len(line.encode("utf-16-le")) // 2 == len(line) + 1, hot
    text = hover(client, source, HOT)["contents"]
    assert text["kind"] == "markdown" and text["value"].startswith("```text\n") and "compulsory" in text["value"], text
    assert hover(client, source, 0) is None
    assert client.take(lambda each: each.get("method") == "workspace/codeLens/refresh")["id"] == 1
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri_of(source)}})
    assert diagnostics(client, source) == []
    assert close(client)[0] == 0


def a_new_recording_is_shown():
    subprocess.run(["rm", "-f", "hardmeter.data", "perf.data"], check=True)
    client = opened(capabilities={})
    open_document(client, source)
    assert diagnostics(client, source) == [] and lenses(client, source) == {}
    record("perf.data")
    assert diagnostics(client, source)
    assert HOT in lenses(client, source)
    assert hover(client, source, HOT)["contents"]["kind"] == "plaintext"
    pathlib.Path("perf.data").write_text("damaged")
    message = client.take(lambda each: each.get("method") == "window/logMessage")["params"]
    assert message["type"] == 2 and message["message"].startswith("hardmeter: "), message
    assert HOT in lenses(client, source)  # the last good one
    assert close(client)[0] == 0


def paths_are_mapped():
    record("named.data")
    copy = pathlib.Path("copy of it").resolve()
    copy.mkdir()
    shutil.copy(source, copy)
    client = opened("-i", "named.data", "--source-map", f"{source.parent}={copy}", folder="copy of it")
    open_document(client, copy / source.name)
    assert HOT in lenses(client, copy / source.name)
    open_document(client, source)
    assert lenses(client, source) == {}
    assert close(client)[0] == 0


def wrong_messages_are_errors():
    client = Client([hardmeter, "lsp", "-i", "nothing.data"], framed=True)
    assert client.refusal("textDocument/hover")["code"] == -32002
    client.ask("initialize", {"capabilities": [], "rootUri": 3})
    assert client.refusal("initialize")["code"] == -32600
    assert client.refusal("textDocument/definition")["code"] == -32601
    assert client.refusal("textDocument/codeLens")["code"] == -32602
    assert client.refusal("textDocument/codeLens", {"textDocument": {"uri": "file:///not/open"}})["code"] == -32602
    open_document(client, "/no such file", "one\n")
    assert diagnostics(client, "/no such file") == [] and lenses(client, "/no such file") == {}
    for text, code in [(b"{", -32700), (b"\xff", -32700), (b"[" * 1000, -32700), (b"x" * (17 << 20), -32600), (b"7", -32600)]:
        client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        message = client.next()
        assert message["error"]["code"] == code, (text[:80], message)
    client.notify("exit")  # without shutdown
    assert client.end()[0] == 1


def ends_are_ends():
    for text in [b"", b"Content-Length: 100\r\n\r\n{", b"Content-Le"]:
        client = opened("-i", "nothing.data")
        message = client.take(lambda each: each.get("method") == "window/logMessage")["params"]
        assert message["type"] == 2 and "nothing.data" in message["message"], message
        client.send_bytes(text)
        assert client.end() == (0, [])
    client = Client([hardmeter, "lsp"], framed=True, stderr=subprocess.PIPE)
    client.send_bytes(b"Content-Length: much\r\n\r\n{}")
    said = client.process.stderr.read()
    assert client.process.wait() == 1 and b"valid Content-Length" in said, said
    client.process.stderr.close()
    client.end()


for test in [a_line_has_its_notes, a_new_recording_is_shown, paths_are_mapped, wrong_messages_are_errors, ends_are_ends]:
    test()
    print(test.__name__, "as expected", flush=True)
