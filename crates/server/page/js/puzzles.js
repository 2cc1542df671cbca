/**
 * Puzzles: positions of which it is proven that exactly one move wins. One a day, and more of any game for two.
 */
import { games, post } from "./api.js";
import { Boards } from "./board.js";
import { announce, busy, button, choice, element, field, message, readable, replace } from "./dom.js";
import { facts } from "./facts.js";
import { moveText } from "./naming.js";
import { MovePicker } from "./picker.js";
import { paintRoles, standsAbove } from "./roles.js";
import { go } from "./router.js";

/** @typedef {import("./types.js").Game} Game */
/**
 * @typedef {object} Puzzle
 * @property {Game} game
 * @property {string[][]} moves
 * @property {import("./types.js").Frame} frame
 * @property {number} role
 * @property {string} level
 * @property {number} seed
 */

const SOLVED = "paidia-puzzles";
const LEVELS = /** @type {[string, string][]} */ ([["easy", "easy: it wins at once"], ["medium", "medium: in two moves"], ["hard", "hard: it takes longer"]]);

/** The days since 1970 where the visitor is. */
export function today() {
  const now = new Date();
  return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / 86_400_000);
}

/** The days of which the puzzle was solved. @returns {number[]} */
function solvedDays() {
  try {
    const kept = JSON.parse(localStorage.getItem(SOLVED) ?? "[]");
    return Array.isArray(kept) ? kept.filter((day) => typeof day === "number") : [];
  } catch {
    return [];
  }
}

/** How many days in a row, up to today or yesterday. @param {number[]} days */
export function streak(days) {
  let day = days.includes(today()) ? today() : today() - 1;
  let count = 0;
  for (; days.includes(day); day -= 1) count += 1;
  return count;
}

/** @type {import("./types.js").Page} */
export async function show(root, { query, signal }) {
  const suitable = (await games()).filter((game) => game.players === 2 && game.kind === "board");
  if (signal.aborted) return;
  const place = element("div", { class: "puzzle" });
  const game = choice([["", "of the day"], ...suitable.map(({ id, title }) => /** @type {[string, string]} */ ([id, title]))], query.get("game") ?? "");
  const level = choice(LEVELS, query.get("level") ?? "medium");
  let seed = Number(query.get("seed") ?? Math.floor(Math.random() * 1e6));
  const open = async () => {
    const daily = game.value === "";
    const wish = daily ? { seed: today(), level: "medium" } : { game: game.value, seed, level: level.value };
    level.disabled = daily;
    replace(place, element("p", { class: "loading", role: "status" }, "Looking for a position with exactly one winning move…"));
    if (!daily) history.replaceState(history.state, "", `/puzzles?${new URLSearchParams({ game: game.value, level: level.value, seed: String(seed) })}`);
    else history.replaceState(history.state, "", "/puzzles");
    try {
      const puzzle = /** @type {Puzzle} */ (await post("/api/puzzles", wish, signal));
      if (!signal.aborted) new Board(place, puzzle, daily, signal);
    } catch (problem) {
      if (!signal.aborted) replace(place, element("p", { class: "failure" }, message(problem)));
    }
  };
  const next = button("Another puzzle", () => {
    seed += 1;
    if (game.value === "") game.value = suitable.find((one) => one.id === "connect-four")?.id ?? suitable[0]?.id ?? "";
    void open();
  });
  game.addEventListener("change", () => void open());
  level.addEventListener("change", () => void open());
  replace(root, element("h1", {}, "Puzzles"),
    element("p", { class: "lead" }, "Exactly one move wins. That is proven: everything that can follow was looked at."),
    element("div", { class: "filters" }, field("Puzzle", game), field("How hard", level), next), place);
  await open();
}

/** One puzzle on its board. */
class Board {
  /**
   * @param {HTMLElement} place
   * @param {Puzzle} puzzle
   * @param {boolean} daily
   * @param {AbortSignal} signal
   */
  constructor(place, puzzle, daily, signal) {
    const { game, frame, role } = puzzle;
    this.puzzle = puzzle;
    this.daily = daily;
    this.signal = signal;
    this.boards = new Boards(game.scene, game.start, {
      name: `${game.title} puzzle`, onCell: (/** @type {number} */ cell) => this.picker.cell(cell), onDrop: (/** @type {number} */ from, /** @type {number} */ to) => this.picker.drop(from, to),
    });
    this.picker = new MovePicker(this.boards, (move) => void this.tried(move));
    this.said = element("p", { class: "status yours", role: "status" });
    this.after = element("div", { class: "actions" });
    const area = element("div", { class: "board-area" }, this.boards.element, this.picker.chooser);
    replace(place, element("h2", {}, element("a", { href: `/games/${encodeURIComponent(game.id)}` }, game.title), daily ? ": the puzzle of the day" : ""),
      this.said, area, this.picker.beside, facts({ beside: frame.beside.filter(({ label }) => !/^(control|step)$/u.test(label)) }, { large: false, from: null }), this.after,
      element("details", { class: "panel" }, element("summary", {}, "All moves"), this.picker.list));
    paintRoles(place, game);
    this.boards.turn(standsAbove(game, role));
    this.boards.show(frame);
    this.ask(`${readable(game.roles[role] ?? "")} is to move, and wins with one move alone. Which?`);
    const days = streak(solvedDays());
    replace(this.after, button("Show the move", () => void this.tried("")), daily && days > 0 ? element("span", { class: "muted" }, `${days} in a row`) : null);
  }

  /** @param {string} words */
  ask(words) {
    this.said.textContent = words;
    this.picker.offer(this.puzzle.frame.legal?.[this.puzzle.role] ?? [], readable(this.puzzle.game.roles[this.puzzle.role] ?? ""));
  }

  /** @param {string} move Empty to be shown the answer. */
  async tried(move) {
    const { game, moves, frame } = this.puzzle;
    try {
      const answer = await post("/api/puzzles/answer", { game: game.id, moves, move }, this.signal);
      const text = (/** @type {string} */ one) => {
        const steps = frame.legal?.[this.puzzle.role]?.find((legal) => legal.move === one)?.steps ?? [];
        return moveText(one, steps.flat(), game.scene, frame.cells);
      };
      if (!answer.right && move !== "") {
        const words = `${text(move)} does not win. Try another move.`;
        announce(words);
        this.picker.offer(null);
        return this.ask(words);
      }
      const words = answer.right ? `${text(answer.best)} wins. Well done!` : `${text(answer.best)} is the move that wins.`;
      this.said.textContent = words;
      announce(words);
      this.picker.offer(null);
      if (answer.right && this.daily) localStorage.setItem(SOLVED, JSON.stringify([...new Set([...solvedDays(), today()])].slice(-400)));
      await this.showEnd(answer.line);
    } catch (problem) {
      this.said.textContent = message(problem);
    }
  }

  /** Shows the best play, and offers to go on from here. @param {string[][]} line */
  async showEnd(line) {
    const { game, moves, role } = this.puzzle;
    const { frames } = await post("/api/line", { game: game.id, moves: [...moves, ...line] }, this.signal);
    const played = frames.slice(moves.length + 1);
    let at = 0;
    const step = () => {
      const next = played[at];
      if (!next) return clearInterval(timer);
      this.boards.show(next, { from: at > 0 ? played[at - 1] : this.puzzle.frame });
      this.boards.mark({ last: next.made?.cells ?? [] });
      at += 1;
    };
    const timer = setInterval(step, 900);
    this.signal.addEventListener("abort", () => clearInterval(timer));
    step();
    const against = button("Play it out", () => busy(against, async () => {
      const seats = game.roles.map((_, one) => (one === game.random ? null : one === role ? "human" : "paidia"));
      const { id } = await post("/api/tables", { game: game.id, seats, from: moves }, this.signal);
      go(`/tables/${encodeURIComponent(id)}`);
    }));
    replace(this.after, against);
  }
}
