// SPDX-License-Identifier: MIT
// Several processes in the call graph and the cache map; comparisons; narrow windows.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hasRecordings, isFile, launch, open, openPage, pixelsTooWide, settled, shoot, views, violations } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const skip = isFile && "a file holds one recording, and the maps of all processes";

test("processes are at the root of the call graph", { skip }, async () => {
  const { page, problems, close } = await openPage(browser);
  await open(page, "#/hotspots?as=icicle&recording=3");
  await page.getByText("The same as a table").click();
  const calls = page.getByRole("region", { name: "Calls" }).locator("tbody tr");
  await calls.first().waitFor();
  const rows = await calls.evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
  const atDepth = (depth) => rows.filter((cells) => cells[2] === String(depth)).map((cells) => cells[0]);
  assert.deepEqual(atDepth(0), ["all"]);
  assert.equal(atDepth(1).filter((name) => /^gather \(\d+\)$/.test(name)).length, 2, atDepth(1).join());
  assert.ok(atDepth(2).every((name) => !/\(\d+\)$/.test(name)), "a single thread is its process");
  await page.locator("[aria-roledescription='call graph']").hover({ position: { x: 30, y: 27 } });
  await page.locator(".tooltip").getByText(/^gather \(\d+\): [\d.]+%, [\d,]+ events?/).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("a flame graph opens at its callers", async () => {
  const { page, close } = await openPage(browser, { height: 420 });
  await open(page, "#/hotspots?as=flame");
  const isAtEnd = () => page.locator(".graph-frame").evaluate((each) => each.scrollTop + each.clientHeight >= each.scrollHeight - 1);
  assert.ok(await isAtEnd());
  await close();
});

test("the cache map is of all processes, or of one", { skip }, async () => {
  const { page, problems, close } = await openPage(browser);
  assert.ok(await hasRecordings(page, 4));
  await open(page, "#/map?recording=3");
  await page.getByText(/^All \d+ processes together: the map is of the cache that they share\./).waitFor();
  const samples = async () => (await page.getByText(/samples? with an address/).innerText()).match(/[\d,]+/)[0];
  const all = await samples();
  const choice = page.getByRole("combobox", { name: "Process", exact: true });
  await choice.selectOption({ index: 1 });
  await page.waitForFunction(() => /pid=\d+/.test(location.hash));
  await settled(page);
  const one = await samples();
  assert.notEqual(one, all);
  assert.match(await choice.locator("option").nth(1).innerText(), new RegExp(`^\\d+ gather: ${one} samples$`));
  assert.equal(await page.getByText(/processes together/).count(), 0);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test("comparisons begin with the requested events", async () => {
  const { page, close } = await openPage(browser);
  if (await hasRecordings(page, 2)) {
    await open(page, "#/compare?event=dtlb_load_miss");
    const names = page.getByRole("region", { name: "Totals before and after", exact: true }).locator("tbody tr td:first-child");
    assert.deepEqual(await names.allInnerTexts(), ["dtlb_load_miss", "l1_cache_miss", "l2_cache_miss"]);
    await page.getByText(/^\d+ other events were counted$/).click();
    const others = page.getByRole("region", { name: "Other totals before and after" }).locator("tbody tr");
    assert.ok((await others.count()) > 3);
  }
  await close();
});

test("numbers that were recorded are not dashes", async () => {
  const { page, close } = await openPage(browser);
  const sampled = page.getByRole("region", { name: "Sampled events" }).locator("tbody tr");
  for (const cells of await sampled.evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim())))) {
    assert.ok(cells.every((text) => text !== "-"), `${cells}`);
  }
  assert.ok((await sampled.count()) >= 3);
  await close();
});

test("the chosen view is in sight at 390 pixels", async () => {
  const { page, problems, close } = await openPage(browser, { width: 390, height: 800 });
  for (const view of views) {
    await open(page, `#/${view}`);
    const tab = await page.locator("nav a[aria-current='page']").boundingBox();
    assert.ok(tab.x >= 0 && tab.x + tab.width <= 390, `${view} is at ${tab.x} to ${tab.x + tab.width}`);
    assert.ok((await pixelsTooWide(page)) <= 0, view);
    await shoot(page, `${view}-390`);
  }
  assert.deepEqual(problems, []);
  await close();
});
