// SPDX-License-Identifier: MIT
// For development only, until the command itself serves the page: node dev-server.mjs PORT RECORDING...
// HARDMETER names the command that answers.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const dist = join(dirname(fileURLToPath(import.meta.url)), "dist");
const command = process.env.HARDMETER ?? "hardmeter";
const [port, ...files] = process.argv.slice(2);
const recordings = files.map((file, id) => ({ id, name: basename(file), path: resolve(file) }));
const types = { html: "text/html", js: "text/javascript", css: "text/css" };

class Failure extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

function run(words) {
  return new Promise((done, failed) => {
    execFile(command, words, { maxBuffer: 1 << 28 }, (error, out, err) => {
      if (error && !out) failed(new Failure(404, err.trim().split("\n").pop().replace(/^hardmeter: /, "")));
      else done(JSON.parse(out));
    });
  });
}

const file = (get, name = "recording") => recordings[Number(get(name) ?? 0)].path;
const option = (get, name, word) => (get(name) === null ? [] : [word, get(name)]);

async function totals(get) {
  const path = file(get);
  const [self, report] = await Promise.all([
    run(["diff", "--json", path, path]),
    run(["report", "--json", "--sort", "event", "-i", path]),
  ]);
  const events = {};
  const instructions = self.totals.instr_retired?.before;
  for (const [name, total] of Object.entries(self.totals)) {
    const sampled = report.events[name];
    events[name] = {
      samples: sampled?.samples ?? 0,
      estimated: sampled?.estimated ?? null,
      exact: total.estimated ? null : { value: total.before, time_enabled_ns: 1, time_running_ns: 1 },
      fewer_than: null,
      best: total.before,
      per_thousand_instructions: instructions ? (total.before / instructions) * 1000 : null,
      per_second: null,
    };
  }
  return { schema: 1, recording: report.recording, elapsed_ns: null, events, threads: [] };
}

function addPath(root, names, samples) {
  let node = root;
  node.samples += samples;
  for (const { function: name, dso } of names) {
    let next = node.children.find((each) => each.function === name && each.dso === dso);
    if (!next) node.children.push((next = { function: name, dso, samples: 0, self: 0, children: [] }));
    next.samples += samples;
    node = next;
  }
  node.self += samples;
}

function addCallers(root, path, callers, samples) {
  const told = callers.reduce((sum, each) => sum + each.samples, 0);
  if (samples > told) addPath(root, path, samples - told);
  for (const each of callers) addCallers(root, [each, ...path], each.callers, each.samples);
}

async function flame(get) {
  const asked = get("event");
  const report = await run(
    ["report", "--json", "-g", "-i", file(get)].concat(asked ? ["-e", asked] : []),
  );
  const event = asked ?? Object.keys(report.events)[0];
  const root = { function: "all", dso: "", samples: 0, self: 0, children: [] };
  let chains = false;
  for (const row of report.rows) {
    chains ||= (row.callers ?? []).length > 0;
    addCallers(root, [{ function: row.function, dso: row.dso ?? "" }], row.callers ?? [], row.counts[event]);
  }
  return { schema: 1, event, ...report.events[event], has_chains: chains, left_out: 0, root };
}

const answers = {
  recordings: async () => ({ schema: 1, version: "0.1.0", allow_record: false, recordings }),
  totals,
  flame,
  hotspots: (get) =>
    run([
      "report", "--json", "-i", file(get),
      ...option(get, "sort", "--sort"), ...option(get, "event", "-e"), ...option(get, "limit", "--limit"),
      ...option(get, "function", "-S"), ...(get("callers") === "1" ? ["-g"] : []),
    ]),
  explain: (get) =>
    run(["explain", "--json", "-i", file(get), ...option(get, "limit", "--limit"), ...option(get, "min_share", "--min-share")]),
  annotate: (get) =>
    run(["annotate", "--json", "-i", file(get), "-S", get("function"), ...option(get, "dso", "--dso")]),
  timeline: (get) =>
    run([
      "timeline", "--json", "-i", file(get),
      ...option(get, "event", "-e"), ...option(get, "by", "--by"), ...option(get, "columns", "--columns"),
      ...(get("from_ns") ? ["--from", `${get("from_ns")}ns`] : []),
      ...(get("to_ns") ? ["--to", `${get("to_ns")}ns`] : []),
    ]),
  occupancy: (get) => run(["report", "--llc", "--json", "-i", file(get)]),
  map: (get) =>
    run(["map", "--json", "-i", file(get), ...option(get, "level", "--level"), ...option(get, "columns", "--columns")]),
  sizes: (get) =>
    run(["map", "--sizes", "--json", "-i", file(get), ...option(get, "by", "--by"), ...option(get, "limit", "--limit")]),
  diff: (get) =>
    run(["diff", "--json", "--all", "--limit", "200", ...option(get, "sort", "--sort"), file(get, "before"), file(get, "after")]),
};

createServer(async (request, response) => {
  const url = new URL(request.url, "http://localhost");
  response.setHeader(
    "Content-Security-Policy",
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  );
  try {
    if (url.pathname.startsWith("/api/")) {
      const answer = answers[url.pathname.slice(5)];
      if (!answer) throw new Failure(404, `there is no ${url.pathname}`);
      const body = JSON.stringify(await answer((name) => url.searchParams.get(name)));
      response.setHeader("Content-Type", "application/json");
      response.end(body);
      return;
    }
    const name = url.pathname === "/" ? "index.html" : basename(url.pathname);
    response.setHeader("Content-Type", types[name.split(".").pop()] ?? "text/plain");
    response.end(readFileSync(join(dist, name)));
  } catch (error) {
    response.statusCode = error.status ?? (error.code === "ENOENT" ? 404 : 500);
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ schema: 1, error: error.message }));
  }
}).listen(Number(port), "127.0.0.1");
