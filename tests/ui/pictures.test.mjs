// SPDX-License-Identifier: MIT
// Makes the pictures of docs/page/: each view in a window of some size, as HARDMETER_UI_SHOTS/picture-VIEW.png.
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, openPage, settled, storeLink, views } from "./browser.mjs";

const links = Object.fromEntries(views.map((view) => [view, `#/${view}`]));
links.flame = "#/hotspots?as=flame";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("picture of a store", { skip: storeLink ? false : "no store is served" }, async () => {
  const { page, close } = await openPage(browser, { link: storeLink, width: 1100, height: 640 });
  await open(page, "#/fleet?since=all");
  await page.locator(".plot canvas").waitFor();
  const folder = process.env.HARDMETER_UI_SHOTS;
  if (folder) await page.screenshot({ path: join(folder, "picture-fleet.png") });
  await close();
});

test("pictures of each view", async () => {
  const { page, close } = await openPage(browser, { width: 1100, height: 640 });
  if ((await page.locator("nav a[href^='#/record']").count()) > 0) links.record = "#/record";
  for (const [name, link] of Object.entries(links)) {
    await open(page, link);
    await page.locator("main").getByText(/\S/).first().waitFor();
    await settled(page);
    const folder = process.env.HARDMETER_UI_SHOTS;
    if (folder) await page.screenshot({ path: join(folder, `picture-${name}.png`) });
  }
  await close();
});
