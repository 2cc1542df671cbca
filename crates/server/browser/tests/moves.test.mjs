/** Making moves where one expects: castling, promotion, steering, dragging; from either side of the board. */
import assert from "node:assert/strict";
import { check, eventually, newTable, on, see, square } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

const moves = (/** @type {Page} */ page) => page.getByRole("list", { name: "Moves" }).getByRole("listitem");

/**
 * A table with people after some moves.
 * @param {Page} page
 * @param {string} game
 * @param {string[][]} from
 */
async function tableFrom(page, game, from) {
  const answer = await page.request.post("/api/tables", { data: { game, seats: ["human", "human"], from } });
  assert.equal(answer.status(), 200, await answer.text());
  await page.goto(`/tables/${(await answer.json()).id}`);
  await page.locator(".move-list").waitFor();
}

const BEFORE_CASTLING = [
  ["(move 7 1 6 3)", "noop"], ["noop", "(move 1 7 1 6)"], ["(move 5 2 5 4)", "noop"],
  ["noop", "(move 2 7 2 6)"], ["(move 6 1 5 2)", "noop"], ["noop", "(move 3 7 3 6)"],
];

for (const [how, squares] of /** @type {const} */ ([["the king to its square", ["e1", "g1"]], ["the king and the rook", ["e1", "h1"]], ["the rook and the king", ["h1", "e1"]]])) {
  check(`castling by clicking ${how}`, async (page) => {
    await tableFrom(page, "chess", BEFORE_CASTLING);
    for (const name of squares) await square(page, name).click();
    await eventually(() => on(page, "g1"), "white king", "the king");
    assert.equal(await on(page, "f1"), "white rook");
    assert.match(await moves(page).last().innerText(), /O-O/u);
  });
}

check("promotion is asked for at its square, with pictures", async (page) => {
  const from = [
    ["(move 1 2 1 4)", "noop"], ["noop", "(move 2 7 2 5)"], ["(move 1 4 2 5)", "noop"], ["noop", "(move 1 7 1 6)"],
    ["(move 2 5 1 6)", "noop"], ["noop", "(move 8 7 8 6)"], ["(move 1 6 1 7)", "noop"], ["noop", "(move 8 6 8 5)"],
  ];
  await tableFrom(page, "chess", from);
  await square(page, "a7").click();
  await square(page, "b8").click();
  const chooser = page.getByRole("group", { name: /choose one/u });
  await see(chooser, "Which move?");
  assert.equal(await chooser.locator("svg").count(), 4, "a picture for each piece");
  const [asked, place] = [await chooser.boundingBox(), await square(page, "b8").boundingBox()];
  assert.ok(asked && place && Math.abs(asked.y - place.y) < 160, "the chooser is beside the square");
  await chooser.getByRole("button", { name: /=Q/u }).click();
  await eventually(() => on(page, "b8"), "white queen", "the queen");
});

check("a piece is dragged to its square, and back from one where it may not go", async (page) => {
  await newTable(page, "breakthrough", { white: "human", black: "human" });
  const middle = async (/** @type {string} */ name) => {
    const box = await square(page, name).boundingBox();
    assert.ok(box);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const drag = async (/** @type {string} */ from, /** @type {string} */ to) => {
    const [start, end] = [await middle(from), await middle(to)];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
    await page.mouse.move(end.x, end.y);
    await page.mouse.up();
  };
  await drag("a2", "a5");
  assert.equal(await moves(page).count(), 1, "that is no move");
  await drag("a2", "b3");
  await eventually(() => moves(page).count(), 2, "a move by dragging");
  assert.match(await on(page, "b3"), /white/u);
});

check("the board stands the right way up for black, and turns", async (page) => {
  await newTable(page, "chess", { white: "random", black: "human" }, "0.1");
  const height = async (/** @type {string} */ name) => (await square(page, name).boundingBox())?.y ?? 0;
  assert.ok((await height("e8")) > (await height("e1")), "black is below");
  await page.locator("p.status.yours").waitFor();
  await square(page, "e7").focus();
  await page.keyboard.press("ArrowUp");
  assert.match((await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))) ?? "", /^e6/u, "up is up");
  await page.keyboard.press("f");
  assert.ok((await height("e8")) < (await height("e1")), "white is below");
  await page.getByRole("button", { name: "Turn the board" }).click();
  assert.ok((await height("e8")) > (await height("e1")));
  await square(page, "e7").click();
  await square(page, "e5").click();
  await eventually(() => on(page, "e5"), "black pawn", "a move on the turned board");
});

check("tron is steered by arrow keys", async (page) => {
  await newTable(page, "tron", { red: "human", blue: "random" }, "0.1");
  await page.locator("p.status.yours").waitFor();
  await page.keyboard.press("ArrowRight");
  await eventually(() => moves(page).count(), 2, "a step");
  assert.match(await moves(page).last().innerText(), /red\s+right/u);
});

check("moves are written as players write them, and turns and counters are not listed", async (page) => {
  await tableFrom(page, "chess", BEFORE_CASTLING);
  const texts = (await moves(page).allInnerTexts()).map((text) => text.trim().split(/\s+/u).at(-1));
  assert.deepEqual(texts, ["Start", "Ngf3", "a6", "e4", "b6", "Bfe2", "c6"]);
  const beside = await page.locator(".viewer .facts dt").allInnerTexts();
  assert.ok(beside.every((label) => !/^(control|step)$/u.test(label)), beside.join(", "));
});

check("controls are in sight on a desk, and nothing covers the board but the result", async (page) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  for (const game of ["chess", "tic-tac-toe", "connect-four", "hex-7x7", "othello"]) {
    await page.goto(`/games/${game}`);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForURL(/\/tables\//u);
    await page.locator(".move-list").waitFor();
    const box = await page.getByRole("group", { name: "Table", exact: true }).boundingBox();
    assert.ok(box && box.y + Math.min(box.height, 44) <= 768, `${game}: the controls end at ${box?.y}`);
  }
});

check("a guess is made word by word", async (page) => {
  await newTable(page, "mastermind", { guesser: "human" });
  const composer = page.getByRole("group", { name: "Make a move word by word" });
  for (const colour of ["red", "blue", "green", "red"]) await composer.getByRole("button", { name: colour, exact: true }).click();
  await see(moves(page), "guess red blue green red");
});

/**
 * In every bundled game with a board: plays a few moves at random, and tells which legal moves can be made by no click,
 * on the board or on what is offered below it: buttons, or a choice word by word where they are many.
 */
check("every move of the bundled games with boards can be made on the board or beside it", async (page) => {
  const { games } = await (await page.request.get("/api/games")).json();
  /** @type {string[]} */
  const lost = [];
  for (const { id } of games) {
    const game = await (await page.request.get(`/api/games/${id}`)).json();
    if (game.scene.boards.length === 0) continue;
    /** @type {string[][]} */
    const made = [];
    for (let ply = 0; ply < 5; ply += 1) {
      const answer = await page.request.post("/api/line", { data: { game: id, moves: made } });
      const { frames } = await answer.json();
      const frame = frames[frames.length - 1];
      if (frame.ended) break;
      for (const role of frame.turn) {
        const nameless = frame.legal[role].filter((/** @type {any} */ one) => one.steps.length === 0);
        // Of many moves without words nothing could be chosen.
        const words = new Set(nameless.map((/** @type {any} */ one) => one.move));
        if (nameless.length > 24 && ![...words].every((move) => /^\(\S+ /u.test(String(move)))) lost.push(`${id}: ${nameless.length} moves`);
      }
      made.push(frame.legal.map((/** @type {any[]} */ own, /** @type {number} */ role) => own[(7 * ply + 3 * role) % own.length].move));
    }
  }
  assert.deepEqual(lost, []);
});
