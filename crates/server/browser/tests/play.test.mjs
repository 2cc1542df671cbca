/** Playing: by clicks, by keys, alone and against players, turn by turn and at the same time. */
import assert from "node:assert/strict";
import { check, countOf, eventually, newTable, on, pasted, see, square, squareName, SQUARES } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

const result = (/** @type {Page} */ page) => page.getByRole("region", { name: "Result" });
const moves = (/** @type {Page} */ page) => page.getByRole("list", { name: "Moves" }).getByRole("listitem");

/**
 * Clicks squares, and waits after each move until it is in the list.
 * @param {Page} page
 * @param {string[][]} line The squares of each move.
 */
async function clickThrough(page, line) {
  const before = await moves(page).count();
  for (const [index, squares] of line.entries()) {
    for (const name of squares) await square(page, name).click();
    await eventually(() => moves(page).count(), before + index + 1, `moves after ${squares.join(" to ")}`);
  }
}

check("a full game of tic-tac-toe by clicks", async (page) => {
  await newTable(page, "tic-tac-toe", { x: "human", o: "human" });
  await see(page, "Choose for x");
  await clickThrough(page, [["a1"], ["b1"], ["a2"], ["b2"]]);
  assert.equal(await on(page, "a1"), "x");
  assert.equal(await on(page, "b2"), "o");
  assert.equal(await on(page, "c3"), "empty");
  await square(page, "a3").click();
  await see(result(page), "x wins");
  await see(result(page), "x 100 · o 0");
  assert.equal(await moves(page).count(), 6, "the start and five moves");
  await page.getByRole("button", { name: "Look at the board" }).click();
  await see(page, "x wins");
  await square(page, "c3").click();
  assert.equal(await on(page, "c3"), "empty", "the game is over");
});

check("a full game of tic-tac-toe against a player, by clicks", async (page) => {
  await newTable(page, "tic-tac-toe", { x: "human", o: "paidia" }, "0.1");
  for (let ply = 0; ply < 9; ply += 2) {
    await eventually(() => page.locator("p.status.yours, section.end").count(), 1, "my turn or the end");
    if ((await result(page).count()) > 0) break;
    const free = page.locator(`${SQUARES}[aria-label*=": empty"]`).first();
    await free.click();
    await eventually(() => moves(page).count(), (count) => count >= ply + 2, "my move is made");
  }
  await result(page).waitFor();
  assert.match(await result(page).innerText(), /^(A draw|o wins|You win!)/u);
  const marks = await countOf(page, "o");
  assert.ok(marks >= 3, "the player has answered");
});

check("a full game of tic-tac-toe by keyboard alone", async (page) => {
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");
  const tabTo = async (/** @type {RegExp} */ label) => {
    for (let steps = 0; steps < 120; steps += 1) {
      await page.keyboard.press("Tab");
      if (label.test(await focused())) return;
    }
    assert.fail(`the Tab key does not lead to ${label}`);
  };
  await page.goto("/?q=tic-tac-toe&players=2");
  await page.locator(".card").first().waitFor();
  await tabTo(/^\s*Tic-Tac-Toe\s*2 players/u);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/games\/tic-tac-toe$/u);
  await page.getByLabel("o", { exact: true }).waitFor();
  for (let steps = 0; steps < 40 && !(await page.getByLabel("o", { exact: true }).evaluate((seat) => seat === document.activeElement)); steps += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  assert.equal(await page.getByLabel("o", { exact: true }).inputValue(), "human");
  for (let steps = 0; steps < 120 && (await focused()) !== "Play"; steps += 1) await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/tables\//u);
  await square(page, "a3").waitFor();
  await tabTo(/: empty/u);
  const walk = async (/** @type {string} */ name) => {
    for (let steps = 0; steps < 6; steps += 1) {
      const here = squareName(await focused());
      if (here === name) break;
      const [column, row] = [name.charCodeAt(0) - here.charCodeAt(0), name.charCodeAt(1) - here.charCodeAt(1)];
      await page.keyboard.press(column > 0 ? "ArrowRight" : column < 0 ? "ArrowLeft" : row > 0 ? "ArrowUp" : "ArrowDown");
    }
    assert.equal(squareName(await focused()), name);
    await page.keyboard.press("Enter");
  };
  for (const [index, name] of ["b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1", "c3"].entries()) {
    await walk(name);
    await eventually(() => moves(page).count(), index + 2, `moves after ${name}`);
  }
  await see(result(page), "A draw");
  await see(result(page), "x 50 · o 50");
});

check("breakthrough by clicking squares", async (page) => {
  await newTable(page, "breakthrough", { white: "human", black: "human" });
  assert.equal(await on(page, "a2"), await on(page, "a1"), "white pawns");
  await square(page, "a2").click();
  const targets = await page.locator(`${SQUARES}[aria-label*="possible"]`).evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label") ?? ""));
  assert.deepEqual(targets.map(squareName).sort(), ["a3", "b3"], "where the chosen pawn may go");
  await square(page, "a3").click();
  await eventually(() => moves(page).count(), 2, "a move by two clicks");
  await clickThrough(page, [["h7", "h6"], ["a3", "a4"], ["h6", "h5"], ["a4", "a5"], ["h5", "h4"], ["a5", "a6"], ["h4", "h3"], ["a6", "b7"], ["h3", "g2"], ["b7", "a8"]]);
  assert.match(await on(page, "a8"), /white/u);
  assert.match(await on(page, "g2"), /black/u);
  assert.equal(await on(page, "a2"), "empty");
  await see(result(page), "white wins");
});

check("Connect Four by clicking squares: a disc falls to the lowest free square of its column", async (page) => {
  await newTable(page, "connect-four", { red: "human", yellow: "human" });
  await clickThrough(page, [["a6"], ["b6"], ["a6"], ["b1"], ["a3"], ["b6"]]);
  const columns = await Promise.all(["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"].map((name) => on(page, name)));
  assert.deepEqual(columns, ["red", "red", "red", "empty", "yellow", "yellow", "yellow", "empty"]);
  await square(page, "a6").click();
  await see(result(page), "red wins");
  assert.equal(await on(page, "a4"), "red");
});

check("a simultaneous game: nobody sees what the other has chosen", async (page) => {
  await newTable(page, "rock-paper-scissors", { left: "human", right: "human" });
  const legal = page.getByRole("region", { name: "Legal moves" });
  for (let round = 1; round <= 3; round += 1) {
    await see(page, /Choose for left/u);
    await legal.getByRole("button", { name: "rock" }).click();
    await see(page, /Choose for right/u);
    await see(page.getByRole("list", { name: "Roles" }), "has chosen");
    assert.equal(await moves(page).count(), round, "nothing is made before both have chosen");
    assert.equal(await moves(page).filter({ hasText: "rock" }).count(), round - 1);
    await legal.getByRole("button", { name: "scissors" }).click();
    await eventually(() => moves(page).count(), round + 1, "both moves are made at once");
    assert.match(await moves(page).last().innerText(), /rock[\s\S]*scissors/u);
  }
  await see(result(page), "left wins");
});

check("a three-player game: two players answer a person", async (page) => {
  await newTable(page, "chinese-checkers-3", { red: "human" }, "0.1");
  const roles = page.getByRole("list", { name: "Roles" }).getByRole("listitem");
  assert.equal(await roles.count(), 3);
  await page.locator("p.status.yours").waitFor();
  const legal = page.getByRole("region", { name: "Legal moves" }).getByRole("button");
  const text = await legal.first().innerText();
  await legal.first().click();
  await eventually(() => moves(page).count(), (count) => count >= 4, "one move each");
  await page.locator("p.status.yours").waitFor();
  assert.match(await moves(page).nth(1).innerText(), new RegExp(text.split(/\s+/u).join("\\s+"), "u"));
  const seats = await roles.allInnerTexts();
  assert.equal(seats.filter((seat) => seat.includes("paidia")).length, 2, seats.join(" | "));
});

check("a puzzle is solved by its hints", async (page) => {
  await newTable(page, "buttons-and-lights", {}, "0.1");
  for (let step = 0; step < 12 && (await result(page).count()) === 0; step += 1) {
    await page.locator("p.status.yours").waitFor();
    await page.getByRole("button", { name: "Hint" }).click();
    const told = page.locator("p.status").filter({ hasText: "Hint:" });
    await told.waitFor();
    const move = /Hint: ([^(]+?)(?: \(|\s*$)/mu.exec(await told.innerText())?.[1] ?? "";
    await page.getByRole("region", { name: "Legal moves" }).getByRole("button", { name: move, exact: true }).click();
    await eventually(() => moves(page).count(), step + 2, `moves after ${move}`);
  }
  await see(result(page), "Solved!");
  await see(result(page), "100");
});

check("take back, swap sides, and resign", async (page) => {
  await newTable(page, "tic-tac-toe", { x: "human", o: "paidia" }, "0.1");
  await square(page, "b2").click();
  await eventually(() => moves(page).count(), 3, "my move and the answer");
  await page.getByRole("button", { name: "Take back" }).click();
  await eventually(() => moves(page).count(), 1, "the start again");
  assert.equal(await on(page, "b2"), "empty");
  await page.locator("p.status.yours").waitFor();
  await page.getByRole("button", { name: "Swap sides" }).click();
  await eventually(() => moves(page).count(), (count) => count >= 2, "the player begins");
  await see(page, "Your move, o");
  assert.equal(await countOf(page, "x"), 1);
  await page.getByRole("button", { name: "Resign" }).click();
  await see(result(page), "You resigned");
});

check("looking back and playing on from there drops what came after", async (page) => {
  await newTable(page, "tic-tac-toe", { x: "human", o: "human" });
  await clickThrough(page, [["a1"], ["b1"], ["a2"]]);
  await moves(page).nth(1).getByRole("button").click();
  await see(page, "Looking back at position 1");
  assert.equal(await on(page, "a2"), "empty");
  assert.equal(await on(page, "a1"), "x");
  await page.getByRole("button", { name: "Play on from here" }).click();
  await eventually(() => moves(page).count(), 2, "two moves were dropped");
  await square(page, "c3").click();
  await eventually(() => on(page, "c3"), "o", "played on");
});

/** Each square may be painted in two colours, so that a click alone does not tell the move. */
const PAINT = `(role painter) (init (tile 1 1 white)) (init (tile 2 1 white)) (init (tile 1 2 white)) (init (tile 2 2 white))
(<= (legal painter (paint ?x ?y ?colour)) (true (tile ?x ?y white)) (colour ?colour))
(<= (next (tile ?x ?y ?colour)) (does painter (paint ?x ?y ?colour)))
(<= (next (tile ?x ?y ?what)) (true (tile ?x ?y ?what)) (not (painted ?x ?y)))
(<= (painted ?x ?y) (does painter (paint ?x ?y ?colour)))
(<= terminal (not blank)) (<= blank (true (tile ?x ?y white))) (goal painter 100) (colour green) (colour pink)`;

check("when several moves fit the squares, a chooser asks", async (page) => {
  await newTable(page, await pasted(page, "Paint", PAINT), {});
  await square(page, "b1").click();
  const chooser = page.getByRole("group", { name: /choose one/u });
  await see(chooser, "Which move?");
  assert.deepEqual(await chooser.getByRole("button").allInnerTexts(), ["paint 2 1 green", "paint 2 1 pink", "Cancel"]);
  await page.keyboard.press("Escape");
  await chooser.waitFor({ state: "hidden" });
  await square(page, "b1").click();
  await chooser.getByRole("button", { name: "pink" }).click();
  await eventually(() => on(page, "b1"), "pink", "the move that was chosen");
});
