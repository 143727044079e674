// SPDX-License-Identifier: MIT
// Clicks the controls of the views.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { hasRecordings, isFile, launch, open, openPage, settled, shoot, violations } from "./browser.mjs";

let browser, page, problems, close;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());
beforeEach(async () => {
  ({ page, problems, close } = await openPage(browser));
});
afterEach(async () => {
  assert.deepEqual(problems, []);
  await close();
});

const rows = (label) => page.getByRole("region", { name: label }).locator("tbody tr");

test("summary says what was measured, and leads to the causes", async () => {
  await page.getByText("Measured by").waitFor();
  await page.getByText(/Nothing was lost|^Lost:/).waitFor();
  await page.locator(".cause").first().waitFor();
  await page.locator(".cause .links a", { hasText: "Source" }).first().click();
  await page.getByRole("region", { name: "Instructions" }).or(page.getByText(/^No instructions/)).first().waitFor();
  await page.goBack();
  await page.locator(".cause .links a", { hasText: "Why" }).first().click();
  await page.getByRole("region", { name: "Why this place misses" }).waitFor();
});

test("hot spots are sorted, filtered and chosen", async () => {
  await open(page, "#/hotspots");
  const all = await rows("Hot spots by function").count();
  assert.ok(all > 0);
  await page.getByRole("button", { name: "function" }).click();
  await page.locator("th[aria-sort='ascending']", { hasText: "function" }).waitFor();
  const name = (await rows("Hot spots by function").first().locator("td").first().innerText()).trim();
  await page.getByRole("searchbox").fill(name);
  await page.waitForFunction((most) => document.querySelectorAll("main tbody tr").length <= most, all);
  await rows("Hot spots by function").first().click();
  await page.getByText("Called by").or(page.getByText(/record with -g/)).first().waitFor();
  await page.getByRole("searchbox").fill("no function has this name");
  await page.getByText("No row has these words.").waitFor();
  await page.getByLabel("Rows by").selectOption("line");
  await page.waitForFunction(() => location.hash.includes("sort=line"));
});

test("the flame graph zooms, highlights, and has a table", async () => {
  await open(page, "#/hotspots?as=icicle");
  const graph = page.locator("[aria-roledescription='call graph']");
  const box = await graph.boundingBox();
  await graph.hover({ position: { x: 30, y: 27 } });
  await page.locator(".tooltip").waitFor();
  await graph.click({ position: { x: 30, y: 27 } });
  await page.getByRole("button", { name: "Show all" }).waitFor();
  assert.match(page.url(), /zoom=0/);
  await page.getByRole("button", { name: "Show all" }).click();
  await page.waitForFunction(() => !location.hash.includes("zoom="));
  await page.getByRole("searchbox").fill("a");
  await page.getByText(/in functions with "a"/).waitFor();
  await page.getByText("The same as a table").click();
  await rows("Calls").first().waitFor();
  await page.getByRole("checkbox").check();
  await page.waitForFunction(() => location.hash.includes("from=leaves"));
  assert.ok(box.width > 100);
  await shoot(page, "icicle-leaves");
});

test("a line and its instructions mark each other", async () => {
  await open(page, "#/source");
  const line = page.getByRole("region", { name: /^Source lines of/ }).locator("tr[data-row]").first();
  const instructions = page.getByRole("region", { name: "Instructions" }).locator("tr[data-row]");
  if ((await line.count()) === 0 || (await instructions.count()) === 0) return;
  await line.click();
  await page.locator("tr[aria-current='true']").first().waitFor();
  await shoot(page, "source-line");
  await instructions.first().click();
  await page.getByRole("region", { name: "Instructions" }).locator("tr[aria-current='true']").first().waitFor();
});

test("why tells of each event of a place", async () => {
  await open(page, "#/why");
  await rows("Hot places").first().click();
  const panel = page.getByRole("region", { name: "Why this place misses" });
  await panel.getByText("Walk", { exact: true }).waitFor();
  const events = panel.getByRole("group", { name: "Event" }).getByRole("button");
  if ((await events.count()) > 1) {
    await events.nth(1).click();
    await panel.locator("button[aria-pressed='true']").nth(0).waitFor();
    assert.equal(await events.nth(1).getAttribute("aria-pressed"), "true");
  }
});

test("data by object and by type", async () => {
  await open(page, "#/data");
  if ((await rows("Hot spots by object").count()) > 0) {
    await rows("Hot spots by object").first().click();
    await page.getByRole("region", { name: "Where it is used" }).waitFor();
  }
  await page.getByLabel("Rows by").selectOption("type");
  await settled(page);
  await page.getByRole("heading", { name: "Contested lines: threads take them from each other" }).waitFor();
});

test("the map of each level, and misses by size or why there are none", async () => {
  await open(page, "#/map");
  for (const level of ["l1d", "l3", "l2"]) {
    await page.getByRole("combobox", { name: "Cache", exact: true }).selectOption(level);
    await settled(page);
    await page.getByText(/ways, lines of/).or(page.getByText(/does not hold|no /)).first().waitFor();
  }
  await page.locator(".plot canvas").or(page.getByText(/record with --sizes/)).first().waitFor();
  const map = page.locator("[aria-roledescription='heat map']");
  if ((await map.count()) > 0) {
    await map.focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText(/^region 0 at/).first().waitFor();
  }
});

// Drags from one place of the box to another, until this changes the link. A drag that begins while the wheel's zoom is
// still being drawn may be lost.
async function dragTo(page, box, from, to) {
  await settled(page);
  const before = page.url();
  for (let tries = 0; tries < 20 && page.url() === before; tries++) {
    await page.mouse.move(box.x + box.width * from, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(500);
  }
  assert.notEqual(page.url(), before);
}

test("the time line zooms with buttons, the wheel and a drag", async () => {
  await open(page, "#/timeline");
  const graph = page.locator("[aria-roledescription='time line']");
  await graph.locator("canvas").waitFor();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.waitForFunction(() => /from=\d+/.test(location.hash));
  const linked = page.url();
  const box = await graph.boundingBox();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 20);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((before) => location.href !== before, linked);
  if (isFile) {
    await page.getByText(/does not hold finer parts/).waitFor();
  } else {
    await dragTo(page, box, 0.7, 0.5);
  }
  await shoot(page, "timeline-zoomed");
  await page.getByRole("button", { name: "Whole run" }).click();
  await page.waitForFunction(() => !location.hash.includes("from="));
});

test("the rates of the events follow the window", async () => {
  await open(page, "#/timeline");
  const graph = page.locator("[aria-roledescription='time line']");
  const ofMisses = rows("Event rates in the part that is shown").filter({ hasText: "l1_cache_miss" });
  await graph.locator("canvas").waitFor();
  await page.getByText(/Times are cycles of the modelled machine/).waitFor();
  assert.ok((await rows("Event rates in the part that is shown").count()) >= 3, "a lane for each event");
  const cells = () => ofMisses.locator("td").allInnerTexts();
  const whole = await cells();
  assert.match(whole.join(" "), /l1_cache_miss [\d,]+ [\d.,]+\/Mcycle [\d.,]+\/Mcycle/);
  await shoot(page, "timeline-rates");
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.waitForFunction(() => /from=\d+/.test(location.hash));
  await settled(page);
  const counted = (texts) => Number(texts[1].replaceAll(",", ""));
  await page.waitForFunction((before) => !document.body.innerText.includes(before), whole[1]);
  assert.ok(counted(await cells()) < counted(whole), "half of the run has fewer events");
  const box = await graph.boundingBox();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 50);
  await page.locator(".tooltip").getByText(/_miss at [\d.]+ [kMG]?cycles\n?(no sample|[\d.]+)/).waitFor();
  assert.deepEqual(await violations(page), []);
});

// The last lane is at the lower edge.
async function clickLastLane(graph, part) {
  const box = await graph.boundingBox();
  await graph.click({ position: { x: box.width * part, y: box.height - 18 } });
}

// The run has a part without a gap: at least one of these positions has samples.
async function pickSamples(graph, panel) {
  for (const part of [0.5, 0.6, 0.7, 0.8, 0.9]) {
    await clickLastLane(graph, part);
    await panel.waitFor();
    await settled(page);
    if ((await panel.locator("tbody tr").count()) > 0) return;
  }
}

test("a click on a lane shows the samples there", async () => {
  await open(page, "#/timeline");
  const graph = page.locator("[aria-roledescription='time line']");
  const panel = page.getByRole("region", { name: "Samples there" });
  await graph.locator("canvas").waitFor();
  if (isFile) {
    await clickLastLane(graph, 0.6);
    await panel.getByText("this file does not hold the samples one by one: open the recording with `hardmeter ui`").waitFor();
    return;
  }
  await pickSamples(graph, panel);
  assert.ok((await rows("Samples one by one").count()) > 0);
  assert.ok((await rows("Samples one by one").count()) <= 20);
  await panel.getByText(/No branches were recorded/).waitFor();
  assert.match(page.url(), /lane=.*span=/);
  await shoot(page, "timeline-samples");
  assert.deepEqual(await violations(page), []);
  await page.reload();
  await rows("Samples one by one").first().waitFor();
  await panel.getByRole("button", { name: "Close" }).click();
  await panel.waitFor({ state: "detached" });
  // With the keyboard: selects the middle of the first lane.
  await graph.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await panel.waitFor();
  await page.getByText(/The samples at .* are below/).waitFor();
  await settled(page);
});

test("samples have their branches, oldest first", { skip: isFile && "a file holds the time line of the whole run, not single samples" }, async () => {
  if (!(await hasRecordings(page, 2))) return;
  await open(page, "#/timeline?recording=1");
  const graph = page.locator("[aria-roledescription='time line']");
  await graph.locator("canvas").waitFor();
  await pickSamples(graph, page.getByRole("region", { name: "Samples there" }));
  await page.getByRole("button", { name: "branches before it, oldest first" }).waitFor();
  await page.locator(".branches li").first().waitFor();
  await shoot(page, "timeline-branches");
  assert.deepEqual(await violations(page), []);
});

test("two recordings are compared", async () => {
  const two = await hasRecordings(page, 2);
  await open(page, "#/compare");
  if (!two) {
    await page.getByText(/Only one recording is open/).waitFor();
    return;
  }
  await rows("Totals before and after").first().waitFor();
  const changes = page.getByRole("region", { name: /^Changes of/ }).locator("tbody tr");
  if ((await changes.count()) > 0) {
    await changes.last().click();
    await page.getByRole("region", { name: "Lines before and after" }).waitFor();
    await settled(page);
  }
  await shoot(page, "compare-chosen");
  await page.getByRole("button", { name: "Swap" }).click();
  await page.waitForFunction(() => location.hash.includes("before=1"));
  await settled(page);
});

test("the colours are remembered", async () => {
  const choice = page.getByLabel("Theme:");
  assert.equal(await choice.inputValue(), "system");
  assert.deepEqual(await choice.locator("option").allInnerTexts(), ["auto", "light", "dark"]);
  await choice.selectOption("dark");
  await page.locator("html[data-theme='dark']").waitFor();
  await page.reload();
  await page.locator("html[data-theme='dark']").waitFor();
  assert.equal(await choice.inputValue(), "dark");
});

test("a link brings another person to the same place", async () => {
  await open(page, "#/hotspots?sort=thread&search=x");
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await settled(page);
  assert.equal(await page.getByLabel("Rows by").inputValue(), "thread");
  assert.equal(await page.getByRole("searchbox").inputValue(), "x");
});
