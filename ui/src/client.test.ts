// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { deflateSync } from "node:zlib";
import { answersFromFile, atMost, Client, Failure } from "./client";
import * as requests from "./requests";

const text = deflateSync(JSON.stringify({ "totals?recording=0": { schema: 1 }, "sizes?by=function&limit=20&recording=0": { schema: 1, error: "not recorded" } })).toString("base64");

test("answers from the file", async () => {
  const client = new Client(answersFromFile(`\n${text.slice(0, 20)}\n${text.slice(20)}\n`), true);
  assert.deepEqual(await client.ask(requests.totals(0)), { schema: 1 });
});

test("what the file does not hold is said in one sentence", async () => {
  const client = new Client(answersFromFile(text), true);
  await assert.rejects(client.ask(requests.annotate(0, "main", null)), {
    message: "this file does not hold the code of main: open the recording with `hardmeter ui`",
  });
  await assert.rejects(client.ask(requests.sizes(0)), { message: "not recorded", status: 404 });
});

test("a file that was cut off", async () => {
  const client = new Client(answersFromFile(text.slice(0, 12)), true);
  await assert.rejects(client.ask(requests.totals(0)), /cannot be read/);
});

test("the same is asked for once, and again only after it failed", async () => {
  let asked = 0;
  const client = new Client(async () => {
    asked += 1;
    if (asked === 1) throw new Failure(500, "not now");
    return { asked };
  }, false);
  await assert.rejects(client.ask(requests.totals(0)), /not now/);
  const [first, second] = await Promise.all([client.ask(requests.totals(0)), client.ask(requests.totals(0))]);
  assert.equal(first, second);
  assert.equal(asked, 2);
});

test("no more at a time than may be, and what fails makes room", async () => {
  let running = 0, most = 0;
  const source = atMost(2, async (asked) => {
    most = Math.max(most, ++running);
    await new Promise((done) => setImmediate(done));
    running -= 1;
    if (asked.params.recording === "1") throw new Failure(500, "no");
    return asked.params.recording;
  });
  const found = await Promise.allSettled([0, 1, 2, 3, 4].map((each) => source(requests.totals(each))));
  assert.deepEqual(found.map((each) => (each.status === "fulfilled" ? each.value : "failed")), ["0", "failed", "2", "3", "4"]);
  assert.equal(most, 2);
});

test("what is waited for", async () => {
  let changes = 0;
  const client = new Client(async () => ({}), false);
  const stop = client.onChange(() => (changes += 1));
  const answer = client.ask(requests.recordings());
  assert.deepEqual(client.pending().map((each) => each.path), ["recordings"]);
  await answer;
  await Promise.resolve();
  assert.equal(client.pending().length, 0);
  assert.equal(changes, 2);
  stop();
});

test("what was forgotten is asked for anew, and what is looked at is not kept", async () => {
  let asked = 0;
  const client = new Client(async () => ({ asked: ++asked }), false);
  assert.deepEqual(await client.ask(requests.recordings()), { asked: 1 });
  client.forget(requests.recordings());
  assert.deepEqual(await client.ask(requests.recordings()), { asked: 2 });
  const first = client.look(requests.recorder());
  assert.equal(client.pending().length, 0);
  assert.deepEqual(await first, { asked: 3 });
  assert.deepEqual(await client.look(requests.recorder()), { asked: 4 });
});

test("a file has no server to send to", async () => {
  const client = new Client(answersFromFile(text), true);
  await assert.rejects(client.send("stop", {}), /hardmeter ui/);
});
