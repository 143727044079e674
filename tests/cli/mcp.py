#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uses `hardmeter mcp` as an assistant does, in an empty folder: mcp.py HARDMETER PROGRAMS"""
import os
import pathlib
import signal
import sys
import time

from rpc_client import PATIENCE, Client

hardmeter, programs = sys.argv[1:]
CACHE = f"{programs}/cache"  # 10816 loads; 4096 of them, in two passes, miss any first-level cache at `far`
LOADS, FAR = 10816, 4096
OUTPUT_BYTES = 4000
JSON_TYPES = {"string", "integer", "number", "boolean", "array", "object"}


def opened(*options):
    """A client of a server, which is initialized."""
    client = Client([hardmeter, "mcp", *options])
    greeting = client.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                         "clientInfo": {"name": "test", "version": "1"}})
    assert greeting["protocolVersion"] == "2025-06-18" and "tools" in greeting["capabilities"], greeting
    assert set(greeting["serverInfo"]) >= {"name", "version"} and greeting["instructions"], greeting
    client.notify("notifications/initialized")
    return client


def check_result(result):
    """A CallToolResult."""
    assert set(result) <= {"content", "isError", "structuredContent"} and isinstance(result["isError"], bool), result
    assert result["content"], result
    for each in result["content"]:
        assert set(each) == {"type", "text"} and each["type"] == "text" and each["text"], result
    assert isinstance(result.get("structuredContent", {}), dict), result
    return result


def call(client, tool, **arguments):
    """The text and the fields of a tool's result."""
    result = check_result(client.ask("tools/call", {"name": tool, "arguments": arguments}))
    assert not result["isError"], result
    return result["content"][0]["text"], result["structuredContent"]


def failure(client, tool, arguments):
    """The sentence of a tool's error."""
    result = check_result(client.ask("tools/call", {"name": tool, "arguments": arguments}))
    text = result["content"][0]["text"]
    assert result["isError"] and len(result["content"]) == 1 and "\n" not in text, result
    return text


def has_ended(process):
    """Whether no process of this number runs; a zombie does not."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until(holds, what):
    for _ in range(10 * PATIENCE):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError(f"waited in vain: {what}")


def sleeper(name):
    """The words of a command that writes its process to a file and then sleeps for long."""
    return ["sh", "-c", f"echo $$ >{name}.new; mv {name}.new {name}; exec sleep 100000"]


def process_of(name):
    wait_until(lambda: os.path.exists(name), f"{name} is written")
    return int(pathlib.Path(name).read_text())


def tools_are_described():
    client = opened()
    tools = client.ask("tools/list")["tools"]
    assert [tool["name"] for tool in tools] == ["run", "explain", "report", "annotate", "diff", "list", "doctor"]
    for tool in tools:
        assert tool["description"] and tool["title"], tool
        assert tool["annotations"]["readOnlyHint"] == (tool["name"] != "run"), tool
        schema = tool["inputSchema"]
        assert schema["type"] == "object" and schema["additionalProperties"] is False, schema
        for name, member in schema["properties"].items():
            assert member["type"] in JSON_TYPES and member["description"], (name, member)
            assert (member["type"] == "array") == ("items" in member), (name, member)
            assert all(isinstance(word, str) for word in member.get("enum", [])), (name, member)
    assert client.end() == (0, [])


def every_tool_answers():
    client = opened()
    run = dict(command=[CACHE], events=["memory_loads", "l1_cache_miss"], period="1", detail="exact", pmu="soft")
    text, fields = call(client, "run", **run)
    assert f"event memory_loads: {LOADS:,} samples, {LOADS:,} events counted" in text, text
    assert fields["recording"] == "perf.data" and fields["exit_status"] == 0 and fields["ended_by"] == "program", fields
    assert fields["bytes"] == os.path.getsize("perf.data") and not fields["output_is_cut"], fields

    text, fields = call(client, "report", limit=2)
    assert fields["events"]["memory_loads"] == {"samples": LOADS, "estimated": LOADS}, fields["events"]
    rows = {row["function"]: row["counts"] for row in fields["rows"]}
    assert len(rows) == 2 and rows["far"] == {"memory_loads": FAR, "l1_cache_miss": FAR}, rows
    assert f"{FAR:,}" in text, text
    _, fields = call(client, "report", function="far", sort="line", events=["memory_loads"])
    assert [row["counts"] for row in fields["rows"]] == [{"memory_loads": FAR}], fields["rows"]

    text, fields = call(client, "explain", events=["l1_cache_miss"], limit=1)
    place = fields["events"][0]["places"][0]
    assert place["function"] == "far" and "compulsory 50.0%" in text and "capacity 50.0%" in text, text

    text, fields = call(client, "annotate", function="far", syntax="intel")
    assert "mov rax, [rsi]" in text, text
    assert fields["schema"] == 1, fields

    call(client, "run", **run)
    text, fields = call(client, "diff", fail_above=["memory_loads:+0"])
    total = fields["totals"]["memory_loads"]
    assert (total["before"], total["after"], total["exact"]) == (LOADS, LOADS, True), total
    assert [limit["verdict"] for limit in fields["limits"]] == ["within"], fields["limits"]

    text, fields = call(client, "list", pattern="l1_cache_miss")
    assert [event["name"] for event in fields["events"]] == ["l1_cache_miss"] and "l1_cache_miss" in text, fields
    text, fields = call(client, "doctor")
    assert fields["can_record"] is True and "hardmeter record works here" in text, text
    assert client.end() == (0, [])


def output_stays_out_of_the_protocol():
    client = opened()
    lines = 'i=0; while [ $i -lt 1000 ]; do echo "{\\"jsonrpc\\": $i}"; i=$((i + 1)); done; echo to stderr >&2; exit 7'
    _, fields = call(client, "run", command=["sh", "-c", lines], events=["memory_loads"], recording="o.data")
    assert fields["exit_status"] == 7 and fields["recording"] == "o.data", fields
    assert fields["output_is_cut"] and len(fields["output"]) == OUTPUT_BYTES, fields
    assert '{"jsonrpc": 999}\nto stderr\n' in fields["output"], fields["output"]
    _, fields = call(client, "run", command=["sh", "-c", "cat; printf 'a\\377b\\n'"], recording="o.data")
    assert "a\ufffdb\n" in fields["output"], fields  # standard input is empty: cat ends
    assert client.end() == (0, [])


def wrong_arguments_are_sentences():
    client = opened()
    for tool, arguments, sentence in [
            ("report", {"recording": "nothing.data"}, "cannot open nothing.data: No such file or directory"),
            ("explain", {"recording": "/"}, None),
            ("explain", {"recording": "-"}, None),
            ("report", {"recording": 1}, "the argument `recording` must be a text without NUL"),
            ("report", {"limit": -1}, "the argument `limit` must be a whole number from 0 to 1000000"),
            ("report", {"limit": 1e30}, "the argument `limit` must be a whole number from 0 to 1000000"),
            ("report", {"depth": 1}, "unknown argument `depth`"),
            ("report", {"sort": "colour"}, None),
            ("annotate", {"syntax": "masm"}, "the argument `syntax` must be one of att, intel"),
            ("diff", {"before": "nothing.data"}, None),
            ("diff", {"fail_above": ["x"]}, None),
            ("list", {"pattern": "no such event"}, "no event name contains 'no such event'"),
            ("run", {}, "cannot record: neither a command nor a process is given"),
            ("run", {"command": "true"}, "the argument `command` must be a list of texts without NUL"),
            ("run", {"command": ["a\0b"]}, "the argument `command` must be a list of texts without NUL"),
            ("run", {"command": ["true"], "recording": "-"}, "the argument `recording` must name a file"),
            ("run", {"command": ["true"], "recording": "no/such/folder"}, None),
            ("run", {"command": ["true"], "events": ["nothing"]}, None),
            ("run", {"command": ["true"], "period": "much"}, None),
            ("run", {"command": ["true"], "detail": "all"}, "the argument `detail` must be one of exact, bursts, auto"),
            ("run", {"command": ["no-such-program"]},
             "no recording was written: cannot run 'no-such-program': there is no such program in PATH"),
            ("run", {"pids": [0]}, None),
            ("run", {"pids": [2147483647]}, None)]:
        found = failure(client, tool, arguments)
        assert sentence is None or found == sentence, (tool, arguments, found)
    result = client.ask("tools/call", {"name": "list"})  # arguments may be left out
    assert not result["isError"], result
    for arguments in [[], None, 7]:
        assert failure(client, "list", arguments) == "the arguments must be a JSON object"
    assert client.end() == (0, [])


def wrong_messages_are_errors():
    client = Client([hardmeter, "mcp"])
    assert client.refusal("tools/list")["code"] == -32600  # initialize comes first
    assert client.ask("ping") == {}
    assert client.ask("initialize", {"protocolVersion": "2024-11-05"})["protocolVersion"] == "2024-11-05"
    assert client.ask("initialize", {"protocolVersion": 3})["protocolVersion"] == "2025-06-18"
    assert client.refusal("tools/call", {"name": "nothing"})["code"] == -32602
    assert client.refusal("tools/call", {"name": None})["code"] == -32602
    assert client.refusal("nothing")["code"] == -32601
    huge = b'{"jsonrpc":"2.0","id":9,"method":"' + b"x" * (5 << 20) + b'"}\n'
    for text, code in [(b"{\n", -32700), (b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}\n', -32700),
                       (b"[" * 100000 + b"\n", -32700), (huge, -32600), (b"[]\n", -32600), (b"7\n", -32600),
                       (b'{"jsonrpc":"1.0","id":1,"method":"ping"}\n', -32600),
                       (b'{"jsonrpc":"2.0","id":[],"method":"ping"}\n', -32600),
                       (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}\n', -32602)]:
        client.send_bytes(text)
        message = client.next()
        assert message["error"]["code"] == code, (text[:80], message)
    client.send_bytes(b"\n  \r\n")  # no message
    client.send({"id": "theirs", "result": {}})  # an answer to nothing
    client.notify("notifications/nothing")
    client.notify("notifications/cancelled", {"requestId": {"x": 1}})
    client.send_bytes(b'[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]\r\n')
    assert [client.next()["id"], client.next()["id"]] == ["a", "b"]
    client.send_bytes(b'{"jsonrpc":"2.0","id":"last","meth')  # and the end
    status, messages = client.end()
    assert status == 0 and [each["error"]["code"] for each in messages] == [-32700], (status, messages)


def progress_is_reported_and_a_run_is_cancelled():
    client = opened()
    request = client.start("tools/call", {"name": "run", "_meta": {"progressToken": "token"},
                                          "arguments": {"command": sleeper("cancelled.pid"), "recording": "c.data"}})
    process = process_of("cancelled.pid")
    for previous in [0, 1]:
        progress = client.take(lambda message: message.get("method") == "notifications/progress")["params"]
        assert progress["progressToken"] == "token" and progress["progress"] > previous, progress
        assert "recorded" in progress["message"], progress
    call(client, "list", pattern="l1")  # a query need not wait
    client.notify("notifications/cancelled", {"requestId": request, "reason": "enough"})
    wait_until(lambda: has_ended(process), "the cancelled program ends")
    call(client, "run", command=["true"])  # the next one can run
    status, messages = client.end()
    assert status == 0 and all("id" not in each for each in messages), messages


def time_limits_end_programs():
    client = opened()
    _, fields = call(client, "run", command=sleeper("limited.pid"), seconds=1, events=["memory_loads"])
    assert fields["ended_by"] == "time_limit" and fields["exit_status"] != 0 and fields["seconds"] >= 1, fields
    assert has_ended(int(pathlib.Path("limited.pid").read_text()))
    assert client.end() == (0, [])


def the_end_ends_a_run():
    client = opened()
    request = client.start("tools/call", {"name": "run", "arguments": {"command": sleeper("ended.pid")}})
    process = process_of("ended.pid")
    status, messages = client.end()
    assert status == 0 and [each["id"] for each in messages] == [request], messages
    assert messages[0]["result"]["structuredContent"]["ended_by"] == "client", messages
    assert has_ended(process)
    for number in [signal.SIGTERM, signal.SIGINT]:
        client = opened()
        client.start("tools/call", {"name": "run", "arguments": {"command": sleeper(f"signal{number}.pid")}})
        process = process_of(f"signal{number}.pid")
        client.process.send_signal(number)
        assert client.process.wait(PATIENCE) == 128 + number
        assert has_ended(process)
        client.end()


def a_folder_can_be_given():
    os.mkdir("elsewhere")
    client = opened("-C", "elsewhere")
    call(client, "run", command=["sh", "-c", "pwd >where"], recording="there.data")
    assert os.path.exists("elsewhere/there.data") and os.path.exists("elsewhere/where")
    assert client.end() == (0, [])


for test in [tools_are_described, every_tool_answers, output_stays_out_of_the_protocol, wrong_arguments_are_sentences,
             wrong_messages_are_errors, progress_is_reported_and_a_run_is_cancelled, time_limits_end_programs,
             the_end_ends_a_run, a_folder_can_be_given]:
    test()
    print(test.__name__, "as expected", flush=True)
