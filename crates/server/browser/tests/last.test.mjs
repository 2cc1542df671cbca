/** Nothing is lost: sheets, matches when the program dies, tables. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { check, eventually, newTable, on, PATIENCE, see, square, startBrowser, startProgram } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

const sheet = (/** @type {Page} */ page) => page.getByLabel("Rule sheet", { exact: true });
const own = (/** @type {Page} */ page) => page.getByLabel("Your sheets").locator("option").allInnerTexts();

check("opening another game does not overwrite a draft, and a reload finds every sheet", async (page) => {
  await page.goto("/write");
  await sheet(page).fill("(role ann)\n; a draft of mine\n");
  await page.getByLabel("Name", { exact: true }).fill("Draft of mine");
  await page.goto("/write?game=tic-tac-toe");
  await eventually(() => sheet(page).inputValue(), (text) => text.includes("(role x)"), "the rules of tic-tac-toe");
  assert.deepEqual((await own(page)).sort(), ["Draft of mine", "Tic-Tac-Toe"]);
  await page.getByLabel("New from").selectOption({ index: 1 });
  await eventually(() => own(page), (names) => names.length === 3, "a template is a third sheet");
  await page.reload();
  await eventually(() => own(page), (names) => names.length === 3, "all are there after a reload");
  await page.getByLabel("Your sheets").selectOption({ label: "Draft of mine" });
  assert.equal(await sheet(page).inputValue(), "(role ann)\n; a draft of mine\n");
});

check("a sheet that was formatted, deleted or sent as a link comes back", async (page) => {
  await page.goto("/write");
  await page.getByLabel("New from").selectOption("template:puzzle").catch(() => page.getByLabel("New from").selectOption({ index: 2 }));
  const text = await sheet(page).inputValue();
  await page.getByText("Versions, files and links").click();
  await page.getByRole("button", { name: "Format" }).click();
  await eventually(() => page.locator(".versions button").count(), (count) => count >= 1, "the text before is a version");
  await page.locator(".versions button").first().click();
  assert.equal(await sheet(page).inputValue(), text);
  const name = await page.getByLabel("Name", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Delete" }).click();
  await see(page, `${name} is deleted.`);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await sheet(page).inputValue(), text);
  const link = await page.evaluate(async (sent) => {
    // @ts-ignore: a module of the page.
    const { toLink } = await import("/js/library.js");
    return toLink({ name: "Sent", text: sent });
  }, text);
  await page.evaluate(() => localStorage.clear());
  await page.goto("/matches");
  await page.goto(`/write${link}`);
  await eventually(() => sheet(page).inputValue(), text, "the sheet of the link");
  assert.deepEqual(await own(page), ["Sent"]);
  await page.goto("/matches");
  await page.goto("/write#sheet=damaged");
  await see(page, "The sheet in this address is damaged");
});

for (const signal of /** @type {const} */ (["SIGTERM", "SIGKILL"])) {
  test(`the page and its match outlive ${signal}`, { timeout: 4 * PATIENCE }, async () => {
    const [first, browser] = await Promise.all([startProgram(), startBrowser()]);
    let program = first;
    try {
      const context = await browser.newContext({ baseURL: first.address, viewport: { width: 1366, height: 768 } });
      context.setDefaultTimeout(PATIENCE);
      const page = await context.newPage();
      await page.goto("/write");
      await sheet(page).fill("(role ann) ; typed before the end");
      await newTable(page, "tic-tac-toe", { x: "human", o: "human" });
      for (const name of ["a1", "b2", "c3"]) {
        await square(page, name).click();
        await eventually(() => on(page, name), (what) => what !== "empty", name);
      }
      await program.kill(signal);
      await see(page, "The connection is lost; trying again…");
      program = await startProgram([], { folder: first.folder, listen: new URL(first.address).host });
      await see(page, "Connected again");
      assert.deepEqual(await Promise.all(["a1", "b2", "c3", "a2"].map((name) => on(page, name))), ["x", "o", "x", "empty"]);
      await square(page, "a2").click();
      await eventually(() => on(page, "a2"), "o", "the match goes on");
      await page.goto("/");
      await see(page, "Continue where you left");
      await page.goto("/write");
      await eventually(() => sheet(page).inputValue(), "(role ann) ; typed before the end", "the draft");
    } finally {
      await browser.close();
      await program.kill("SIGKILL").catch(() => {});
      rmSync(first.folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}

check("more tables than fit are no obstacle", async (page) => {
  const data = { game: "tic-tac-toe", seats: ["human", "human"] };
  for (let count = 0; count < 40; count += 1) {
    const answer = await page.request.post("/api/tables", { data });
    assert.equal(answer.status(), 200, await answer.text());
  }
  await newTable(page, "tic-tac-toe", { x: "human", o: "human" });
  await square(page, "b2").click();
  await eventually(() => on(page, "b2"), "x", "a move at the last table");
});

check("the same message is not shown twice", async (page) => {
  await page.goto("/");
  await page.evaluate(async () => {
    // @ts-ignore: a module of the page.
    const { notice } = await import("/js/dom.js");
    notice("Something happened.");
    notice("Something happened.");
    notice("Something else happened.");
  });
  assert.equal(await page.locator(".notice").count(), 2);
});

check("a player may not be given more memory than the server allows", async (page) => {
  const { players } = await (await page.request.get("/api/players")).json();
  const { limits } = await (await page.request.get("/api/status")).json();
  for (const player of players) {
    const memory = player.keys.find((/** @type {any} */ key) => key.name === "memory");
    if (!memory) continue;
    assert.equal(memory.takes.number.most, limits.searchMegabytes, player.name);
    const seats = ["human", `${player.name}(memory=${memory.takes.number.most})`];
    assert.equal((await page.request.post("/api/tables", { data: { game: "tic-tac-toe", seats } })).status(), 200);
  }
});
