/** Watching players, and what stays of a match: the chart, the comparison of two players, records, replays, tournaments. */
import assert from "node:assert/strict";
import { check, countOf, eventually, newTable, PATIENCE, see, square } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

const moves = (/** @type {Page} */ page) => page.getByRole("list", { name: "Moves" }).getByRole("listitem");
const current = (/** @type {Page} */ page) => page.locator('.move-list [aria-current="true"] .ply').innerText();

/**
 * Watches a match of two players to its end.
 * @param {Page} page
 */
async function watchToTheEnd(page) {
  await newTable(page, "tic-tac-toe", { x: "paidia", o: "mc-flat" }, "0.1", "Watch");
  await page.getByLabel("Pace").selectOption("0");
  await page.getByRole("region", { name: "Result" }).waitFor({ timeout: 2 * PATIENCE });
}

check("players against each other, with a chart of values; a click on it goes to that move", async (page) => {
  await watchToTheEnd(page);
  const count = await moves(page).count();
  assert.ok(count >= 6, "a game of tic-tac-toe has at least five moves");
  const chart = page.getByRole("slider", { name: /^Value for each role/u });
  assert.equal(await chart.getAttribute("aria-valuemax"), String(count - 1));
  assert.ok((await chart.locator(".curve, .dot").count()) > 0, "there is a curve");
  const box = await chart.boundingBox();
  assert.ok(box);
  await chart.click({ position: { x: box.width * 0.03 + 20, y: box.height / 2 } });
  await eventually(() => current(page), "0", "the beginning");
  assert.equal(await countOf(page, "x"), 0);
  await chart.click({ position: { x: box.width - 8, y: box.height / 2 } });
  await eventually(() => current(page), String(count - 1), "the end");
  await chart.press("Home").catch(() => undefined);
  await moves(page).nth(1).getByRole("button").click();
  const found = page.getByRole("region", { name: "What the search found" });
  await see(found, /paidia for x/u);
  await see(found, /simulations/u);
  await see(found.getByRole("columnheader", { name: "Visits" }), "Visits");
  assert.equal(await countOf(page, "x"), 1);
});

check("a watched match can be paused and taken step by step", async (page) => {
  await newTable(page, "connect-four", { red: "random", yellow: "random" }, "0.1", "Watch");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  const held = await eventually(async () => {
    const before = await moves(page).count();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return (await moves(page).count()) - before;
  }, 0, "nothing happens while it is paused");
  assert.equal(held, 0);
  const before = await moves(page).count();
  await page.getByRole("button", { name: "Step" }).click();
  await eventually(() => moves(page).count(), before + 1, "one move");
  await page.getByLabel("Pace").selectOption("0");
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("region", { name: "Result" }).waitFor({ timeout: 2 * PATIENCE });
});

check("two players are compared on one position", async (page) => {
  await newTable(page, "tic-tac-toe", { x: "human", o: "human" });
  for (const [index, name] of ["a1", "b3", "a2", "c3"].entries()) {
    await square(page, name).click();
    await eventually(() => moves(page).count(), index + 2, `moves after ${name}`);
  }
  await page.getByText("Analyse: compare two players").click();
  await page.getByLabel("Time for each").selectOption("0.5");
  await page.getByRole("button", { name: "Analyse this position" }).click();
  await see(page, "They agree on the move.");
  const found = page.locator(".compared .decision");
  assert.equal(await found.count(), 2);
  // Both must see the win at once.
  assert.match(await found.nth(0).innerText(), /paidia for x: mark 1 3/u);
  assert.match(await found.nth(1).innerText(), /uct for x: mark 1 3/u);
});

check("a finished match is among the records, is replayed move by move, and played on from the middle", async (page) => {
  await watchToTheEnd(page);
  const made = await moves(page).allInnerTexts();
  await page.goto("/matches");
  await page.getByLabel("Game").selectOption("tic-tac-toe");
  await page.getByLabel("Player", { exact: true }).fill("mc-flat");
  const row = page.getByRole("region", { name: "Matches" }).getByRole("row").filter({ hasText: "mc-flat" }).first();
  await row.getByRole("link", { name: "Tic-Tac-Toe" }).click();
  await page.waitForURL(/\/matches\/./u);
  await see(page.getByRole("heading", { level: 1 }), "Tic-Tac-Toe");
  await page.reload();
  await eventually(() => moves(page).count(), made.length, "the address of a match leads to it, too");
  await eventually(() => current(page), "0", "a replay begins at the start");
  for (let ply = 1; ply <= 3; ply += 1) await page.getByRole("button", { name: "Forward" }).click();
  await eventually(() => current(page), "3", "three moves on");
  assert.equal(await countOf(page, "x"), 2);
  assert.equal(await countOf(page, "o"), 1);
  assert.deepEqual((await moves(page).allInnerTexts()).slice(0, 4), made.slice(0, 4));
  await page.getByText("Play on from here").first().click();
  await page.getByLabel("You are").selectOption({ label: "o" });
  await page.getByRole("button", { name: "Play on from here" }).click();
  await page.waitForURL(/\/tables\//u);
  await see(page, "Your move, o");
  assert.equal(await moves(page).count(), 4);
  await page.goto("/matches?player=nobody-of-that-name");
  await see(page, "0 matches");
});

check("a tournament is started from the page, fills, and ends in a table with ratings", async (page) => {
  await page.goto("/tournaments");
  await page.getByLabel("Name", { exact: true }).fill("Cup of the test");
  const ticked = page.locator('.starter input[type="checkbox"]:checked');
  while ((await ticked.count()) > 0) await ticked.first().uncheck();
  for (const name of ["Tic-Tac-Toe", "uct", "random", "mc-flat"]) await page.getByRole("checkbox", { name, exact: true }).check();
  await page.getByLabel("Seconds a move").fill("0.02");
  await see(page, "About 6 matches.");
  await page.getByRole("button", { name: "Start the tournament" }).click();
  await page.waitForURL(/\/tournaments\/./u);
  await see(page.getByRole("heading", { level: 1 }), "Cup of the test");
  await page.getByText("finished: 6 of 6 matches").waitFor({ timeout: 3 * PATIENCE });
  const standings = page.getByRole("region", { name: "Standings" });
  const rows = await standings.locator("tbody tr").allInnerTexts();
  assert.equal(rows.length, 3);
  for (const row of rows) assert.match(row, /\b4\b/u, "everybody has played four games");
  const last = rows[2] ?? "";
  assert.match(last, /random/u, "whoever plays at random is the last");
  const plot = page.getByRole("img", { name: /^Ratings with their 95 % intervals/u });
  assert.equal(await plot.locator(".plot-point").count(), 3);
  const cross = page.getByRole("region", { name: /^Who beat whom/u });
  const cells = await cross.locator("tbody td").allInnerTexts();
  assert.equal(cells.length, 9);
  const share = (/** @type {number} */ at) => Number.parseFloat(cells[at] ?? "");
  assert.ok(Math.abs(share(1) + share(3) - 100) < 1.01, `what one wins the other loses: ${cells}`);
  const matches = page.getByRole("region", { name: "Matches of the tournament" });
  await eventually(() => matches.getByRole("link", { name: "Tic-Tac-Toe" }).count(), 6, "links to all matches");
  await matches.getByRole("link", { name: "Tic-Tac-Toe" }).first().click();
  await page.waitForURL(/\/matches\/./u);
  await see(page.getByRole("heading", { level: 1 }), "Tic-Tac-Toe");
  await page.goto("/tournaments");
  await see(page.getByRole("region", { name: "All tournaments" }), "Cup of the test");
});

check("what is asked for and not there is told kindly", async (page) => {
  await page.goto("/matches/no-such-match");
  await see(page, "That did not work");
  await page.goto("/tables/no-such-table");
  await see(page, /There is no such table/u);
  await page.goto("/tournaments/no-such-tournament");
  await see(page, "That did not work");
});
