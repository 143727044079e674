#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The other end of the agent's exports.
   agent_exports.py get URL                        prints what is there; status 1 where it is not 200
   agent_exports.py receive STATUS FILE            an OTLP receiver: prints its port, keeps the last request, answers so;
                                                   0: never
   agent_exports.py compare BATCH PPROF REQUEST    whether a measurement's pprof profile and OTLP request hold what its batch
                                                   does; prints names of functions. Needs agent_exports_pb2, by protoc."""
import collections
import gzip
import http.server
import json
import sys
import time
import urllib.error
import urllib.request


def get(url):
    try:
        with urllib.request.urlopen(url) as answer:
            sys.stdout.buffer.write(answer.read())
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code} {error.read().decode()}")


def receive(status, file):
    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if status == "0":
                time.sleep(1000)
            fits = self.path == "/v1development/profiles" and self.headers["Content-Type"] == "application/x-protobuf"
            with open(file, "wb") as kept:
                kept.write(body if fits else b"")
            answer = b"\x0a\x0a\x08\x01\x12\x06no RAM" if status == "200-partly" else b"busy" if status == "503" else b""
            self.send_response(int(status.split("-")[0]))
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    print(server.server_port, flush=True)
    server.serve_forever()


Row = collections.namedtuple("Row", "service release event source unit total build_id module offset function file line "
                                    "miss_class object samples count load")


def otlp_rows(request):
    """As {(service, release, event, build-id, module, offset, function, file, line, class, object): value}; in the form that
    the specification wants: nothing twice, and an empty first entry in each table."""
    tables = request.dictionary
    strings = tables.string_table
    for name in ("mapping", "location", "function", "link", "string", "attribute", "stack"):
        table = getattr(tables, name + "_table")
        assert not (table[0] if name == "string" else table[0].ByteSize()), name
        entries = [entry if name == "string" else entry.SerializeToString() for entry in table]
        assert len(set(entries)) == len(entries), name
    attribute = lambda index: (strings[tables.attribute_table[index].key_strindex], tables.attribute_table[index].value.string_value)
    values = {}
    for resource in request.resource_profiles:
        of_whom = {each.key: each.value.string_value for each in resource.resource.attributes}
        for profile in (profile for scope in resource.scope_profiles for profile in scope.profiles):
            event = strings[profile.sample_type.type_strindex]
            assert strings[profile.sample_type.unit_strindex] == ("nanoseconds" if event == "clock" else "count")
            for sample in profile.samples:
                location, = (tables.location_table[index] for index in tables.stack_table[sample.stack_index].location_indices)
                mapping = tables.mapping_table[location.mapping_index]
                assert location.address < mapping.memory_limit
                build = dict(map(attribute, mapping.attribute_indices)).get("process.executable.build_id.gnu", "")
                line = (list(location.lines) + [type(request).Line()])[0]
                function = tables.function_table[line.function_index]
                more = dict(map(attribute, sample.attribute_indices))
                key = (of_whom["service.name"], of_whom.get("process.executable.build_id.gnu", ""), event, build,
                       strings[mapping.filename_strindex], location.address, strings[function.name_strindex],
                       strings[function.filename_strindex], line.line, more.get("hardmeter.miss_class", ""),
                       more.get("hardmeter.object", ""))
                assert key not in values, key
                values[key], = sample.values
    return values, {(each.key, each.value.string_value) for resource in request.resource_profiles
                    for each in resource.resource.attributes if each.key == "host.name"}


def pprof_totals(profile):
    totals = collections.Counter()
    names = [profile.string_table[each.type] for each in profile.sample_type]
    for sample in profile.sample:
        totals.update(dict(zip(names, sample.value)))
    return totals


def compare(batch_file, pprof_file, request_file):
    import agent_exports_pb2
    with open(batch_file, encoding="utf-8") as lines:
        head, *rows, _ = map(json.loads, lines)
    rows = [Row(*row) for row in rows]
    request = agent_exports_pb2.Otlp.FromString(open(request_file, "rb").read())
    expected = {}
    for row in rows:
        if not row.total:
            place = (row.build_id, row.module, row.offset, row.function, row.file, row.line, row.miss_class, row.object)
            expected[(row.service, row.release, row.event, *place)] = round(row.count)
            expected[(row.service, row.release, row.event + "_samples", *place)] = row.samples
    found, hosts = otlp_rows(request)
    assert found == expected, (set(found.items()) ^ set(expected.items()))
    assert hosts == {("host.name", head["host"])}, hosts
    for profile in (each for resource in request.resource_profiles for scope in resource.scope_profiles for each in scope.profiles):
        assert profile.time_unix_nano == head["time"] * 10**9 and profile.duration_nano == 10**9

    pprof = agent_exports_pb2.Pprof.FromString(gzip.open(pprof_file).read())
    sums = collections.Counter()
    for row in rows:
        if row.total:
            sums.update({row.event: round(row.count), row.event + "_samples": row.samples})
    assert pprof_totals(pprof) == sums, (pprof_totals(pprof), sums)
    assert pprof.duration_nanos == 10**9 and 0 < pprof.time_nanos < (head["time"] + 1) * 10**9
    strings = pprof.string_table
    print(*sorted({strings[function.name] for function in pprof.function} | {row.function for row in rows}), sep="\n")
    print(*sorted({strings[mapping.filename] for mapping in pprof.mapping}), sep="\n")


if __name__ == "__main__":
    {"get": get, "receive": receive, "compare": compare}[sys.argv[1]](*sys.argv[2:])
