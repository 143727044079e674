// SPDX-License-Identifier: MIT
// Records from the page. The server runs with --allow-record, in a folder for the new recordings.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { isFile, launch, open, openPage, pixelsTooWide, shoot, themes, violations } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const skip = isFile ? "a file has no server" : false;
const link = (page) => page.locator("nav a[href^='#/record']");

async function record(page, command) {
  await page.getByLabel("Command line").fill(command);
  await page.getByRole("combobox", { name: "PMU" }).selectOption("soft");
  await page.getByRole("button", { name: "Start" }).click();
}

test("a file cannot record", { skip: !isFile && "this page is served: the same is tested with a file" }, async () => {
  const { page, problems, close } = await openPage(browser);
  assert.equal(await link(page).count(), 0);
  await page.keyboard.press("9");
  assert.doesNotMatch(page.url(), /record/);
  await page.evaluate(() => (location.hash = "#/record"));
  await page.getByText(/Nothing is recorded from this page/).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("neither can a server that does not let it", { skip }, async () => {
  const { page, problems, close } = await openPage(browser, {
    prepare: (page) =>
      page.route(/\/api\/recordings/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), allow_record: false } });
      }),
  });
  assert.equal(await link(page).count(), 0);
  await page.keyboard.press("9");
  assert.doesNotMatch(page.url(), /record/);
  assert.deepEqual(problems, []);
  await close();
});

for (const theme of themes) {
  test(`the form, ${theme}`, { skip }, async () => {
    const { page, problems, close } = await openPage(browser, { theme });
    await open(page, "#/record");
    await page.getByText("loads that missed the first-level data cache", { exact: false }).first().waitFor();
    await page.getByText(/hardware: /).first().waitFor();
    await page.getByText(/software PMU: exact/).first().waitFor();
    await page.getByText(/3 events are chosen: l1_cache_miss, l2_cache_miss, dtlb_load_miss/).waitFor();
    await shoot(page, `record-${theme}`);
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 360, height: 800 });
    const wide = await pixelsTooWide(page);
    await shoot(page, `record-360-${theme}`);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
    assert.deepEqual(problems, []);
    await close();
  });
}

test("events are found and chosen", { skip }, async () => {
  const { page, problems, close } = await openPage(browser);
  await page.keyboard.press("9");
  await page.waitForFunction(() => location.hash.startsWith("#/record"));
  await page.getByRole("checkbox", { name: "l1_cache_miss" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("branch_mispredict");
  await page.waitForFunction(() => document.querySelectorAll(".event").length === 1);
  await page.getByRole("checkbox", { name: "branch_mispredict" }).check();
  await page.getByText(/4 events are chosen: .*, branch_mispredict/).waitFor();
  // Enter in the search field starts nothing.
  await page.getByRole("searchbox").press("Enter");
  assert.equal(await page.getByRole("alert").count(), 0);
  await page.getByRole("searchbox").fill("no such words");
  await page.getByText("No event matches.").waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("a program is recorded, and its summary shown", { skip }, async () => {
  const { page, problems, close } = await openPage(browser);
  let asking = 0;
  let atOnce = 0;
  const isLook = (request) => /\/api\/(recorder|live)/.test(request.url());
  page.on("request", (request) => {
    if (isLook(request)) atOnce = Math.max(atOnce, ++asking);
  });
  page.on("requestfinished", (request) => (asking -= isLook(request) ? 1 : 0));
  await open(page, "#/record");
  await record(page, "sleep 1");
  await page.getByText("The recording has begun.").waitFor();
  await page.getByRole("heading", { name: "Being recorded" }).waitFor();
  assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ""), /Start/, "the focus stays");
  await shoot(page, "record-running");
  assert.deepEqual(await violations(page), []);
  await page.getByText("The recording has ended, with exit status 0.").waitFor();
  const summary = page.getByRole("link", { name: /^Summary of recording-/ });
  await summary.waitFor();
  assert.ok(atOnce <= 1, "one request at a time");
  await shoot(page, "record-ended");
  assert.deepEqual(await violations(page), []);
  await summary.click();
  await page.waitForFunction(() => location.hash.startsWith("#/summary?recording="));
  await page.getByText("Measured by").waitFor();
  await page.getByText(/sleep 1/).first().waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("a recording is stopped, with its hot spots so far", { skip }, async () => {
  const { page, problems, close } = await openPage(browser);
  await open(page, "#/record");
  await record(page, "sh -c 'while :; do :; done'");
  const live = page.getByRole("region", { name: "Hot spots by function" });
  await live.locator("tbody tr").first().waitFor();
  await shoot(page, "record-live");
  assert.deepEqual(await violations(page), []);
  // A second request during the recording is refused, with the server's own message.
  const answer = await page.evaluate(async () => {
    const response = await fetch("api/record", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ command: ["true"] }) });
    return response.json();
  });
  assert.match(answer.error, /stop it first/);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText(/The recording has ended, with exit status/).waitFor();
  await page.getByRole("link", { name: /^Summary of recording-/ }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

// Runs until it is killed, or until this test ends.
async function busyProcess() {
  const busy = spawn("sh", ["-c", "while kill -0 $PPID; do :; done"], { stdio: "ignore" });
  await once(busy, "spawn");
  return busy;
}

const noClock = process.env.HARDMETER_UI_NO_CLOCK;

test("a running process is recorded by its number, and stopped", { skip: skip || noClock }, async () => {
  const busy = await busyProcess();
  try {
    const { page, problems, close } = await openPage(browser);
    await open(page, "#/record");
    for (const name of ["l1_cache_miss", "l2_cache_miss", "dtlb_load_miss"]) await page.getByRole("checkbox", { name, exact: true }).uncheck();
    await page.getByRole("checkbox", { name: "clock", exact: true }).check();
    await page.getByText("1 event is chosen: clock").waitFor();
    await page.getByRole("radio", { name: /processes/ }).check();
    await page.getByLabel("Process IDs").fill(String(busy.pid));
    await page.getByRole("combobox", { name: "PMU" }).selectOption("linux");
    await page.getByRole("button", { name: "Start" }).click();
    const live = page.getByRole("region", { name: "Hot spots by function" });
    await live.locator("tbody tr").first().waitFor();
    await shoot(page, "record-process");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText(/The recording has ended/).waitFor();
    await page.getByRole("link", { name: /^Summary of recording-/ }).click();
    await page.getByText("Measured by").waitFor();
    assert.equal(busy.exitCode ?? busy.signalCode, null, "the process runs on");
    const recording = /recording=(\d+)/.exec(page.url())[1];
    await open(page, `#/hotspots?recording=${recording}&sort=thread`);
    await page.locator("tbody tr").filter({ hasText: String(busy.pid) }).first().waitFor();
    await open(page, `#/timeline?recording=${recording}`);
    await page.getByRole("region", { name: "Event rates in the part that is shown" }).locator("tbody tr").filter({ hasText: "clock" }).waitFor();
    await page.locator("[aria-roledescription='time line']").press("ArrowDown");
    await page.getByText(/: ran /).waitFor();  // the clock's samples have times
    assert.deepEqual(problems, []);
    await close();
  } finally {
    busy.kill("SIGKILL");
  }
});

test("what cannot be recorded is said", { skip }, async () => {
  const { page, close } = await openPage(browser);
  await open(page, "#/record");
  await record(page, "");
  await page.getByRole("alert").getByText("Give a command to record.").waitFor();
  await record(page, "sleep '1");
  await page.getByRole("alert").getByText("the quote ' is not closed", { exact: false }).waitFor();
  await record(page, "no-program-has-this-name --x");
  await page.getByRole("region", { name: "What it said" }).getByText(/no-program-has-this-name/).waitFor();
  await page.getByText(/The recording has ended, with exit status [1-9]/).waitFor();
  await page.getByText("Nothing was recorded.").waitFor();
  await page.route(/\/api\/record$/, (route) =>
    route.fulfill({ status: 400, contentType: "application/json", body: JSON.stringify({ error: "a recording cannot be made so" }) }),
  );
  await record(page, "true");
  await page.getByRole("alert").getByText("a recording cannot be made so").waitFor();
  await page.getByRole("radio", { name: /processes/ }).check();
  await page.getByLabel("Process IDs").fill("1 x");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("alert").getByText("x is not a process ID.").waitFor();
  await close();
});
