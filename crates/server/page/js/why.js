/**
 * Rules that explain themselves: why a move is not legal, why it is over, what a role still needs, what the last move
 * changed. The server makes the sentences from the rules; here they are listed, show their squares on the board and
 * link the lines of the sheet.
 *
 *     const part = atTable(page);                        // beside a table, see parts.js
 *     const panel = new WhyPanel({ ask, roles, point });  // anywhere else
 */
import { post } from "./api.js";
import { aborted, announce, busy, button, element, inline, message, readable, replace } from "./dom.js";

/**
 * @typedef {object} Told A sentence of an explanation.
 * @property {number} depth
 * @property {string} text
 * @property {number | null} line
 * @property {number | null} end
 * @property {number[]} cells
 */
/** @typedef {{what: "move" | "over" | "win" | "change", role?: number, text?: string, cells?: number[]}} Question */
/**
 * @typedef {object} Around
 * @property {(question: Question) => Promise<Told[]>} ask
 * @property {(cells: number[]) => void} point Shows squares; none shows the usual ones.
 * @property {(line: number, end: number) => {href: string} | {onclick: () => void}} place Where a line of the sheet is to be seen.
 */

export class WhyPanel {
  /** @param {Around} around */
  constructor(around) {
    this.around = around;
    this.questions = element("div", { class: "actions why-questions" });
    this.answer = element("ol", { class: "why-answer", "aria-live": "polite" });
    this.element = element("section", { class: "panel why", "aria-label": "Why?" }, element("h3", {}, "Why?"), this.questions, this.answer);
    this.offered = "";
  }

  /**
   * Offers questions; an answer stays as long as the same are offered.
   * @param {[string, Question][]} questions
   * @param {string} position What tells this position from others.
   */
  offer(questions, position) {
    const offered = JSON.stringify([position, questions]);
    if (offered === this.offered) return;
    this.offered = offered;
    replace(this.answer);
    replace(this.questions, ...questions.map(([label, question]) => {
      const control = button(label, () => busy(control, () => this.ask(question)));
      return control;
    }));
    this.element.hidden = questions.length === 0;
  }

  /** @param {Question} question */
  async ask(question) {
    try {
      const told = await this.around.ask(question);
      this.tell(told);
      announce(told[0]?.text.replaceAll("`", "") ?? "");
      this.around.point(told.slice(0, 4).flatMap((line) => line.cells));
    } catch (problem) {
      if (!aborted(problem)) replace(this.answer, element("li", { class: "muted" }, message(problem)));
    }
  }

  /** Lists an answer. @param {Told[]} told */
  tell(told) {
    replace(this.answer, ...told.map((line) => this.#line(line)));
  }

  /** @param {Told} line */
  #line(line) {
    const show = () => this.around.point(line.cells);
    const words = element("span", {}, ...inline(line.text));
    const place = line.line === null ? null : this.around.place(line.line, line.end ?? line.line);
    const label = `line ${line.line}`;
    const link = !place ? null : "href" in place ? element("a", { class: "why-line", href: place.href }, label)
      : button(label, place.onclick, { class: "plain link why-line" });
    const entry = element("li", { class: `why-depth-${Math.min(line.depth, 6)}` }, words, " ", link);
    if (line.cells.length > 0) {
      entry.addEventListener("pointerenter", show);
      entry.addEventListener("pointerleave", () => this.around.point([]));
    }
    return entry;
  }
}

/**
 * The panel of a table.
 * @param {import("./table.js").TableView} page
 * @returns {import("./parts.js").Part}
 */
export function atTable(page) {
  const { game, viewer } = page;
  /** Squares that were clicked in vain. @type {number[]} */
  let refused = [];
  const panel = new WhyPanel({
    ask: async (question) => (await post("/api/why", { game: game.id, moves: viewer.path, ...question }, page.signal)).lines,
    point: (cells) => viewer.point(cells),
    place: (line, end) => ({ href: `/games/${encodeURIComponent(game.id)}/rules?lines=${line}-${end}` }),
  });
  const show = () => {
    if (page.secret) return panel.offer([], "");
    const { frame } = viewer;
    const role = page.asked ?? frame.turn[0] ?? page.table.seats.findIndex((seat) => seat === "human");
    if (frame.ended === "over" && viewer.last && viewer.path.length > 0) void tellEnd();
    panel.offer(questions(game, frame, viewer.path.length, role, refused, (cell) => viewer.boards.name(cell)), `${viewer.path.length} ${frame.ended ?? ""}`);
  };
  /** The end that was told. */
  let told = "";
  /** Says in the result what rule ended the game, and shows its squares. */
  const tellEnd = async () => {
    const end = JSON.stringify(viewer.path);
    if (told === end) return;
    told = end;
    const question = /** @type {Question} */ ({ what: "over" });
    const answer = await post("/api/why", { game: game.id, moves: viewer.path, ...question }, page.signal).catch(() => null);
    if (!answer || !viewer.last || JSON.stringify(viewer.path) !== end) return;
    const lines = /** @type {Told[]} */ (answer.lines);
    const cause = lines.find((line) => line.depth === 1 && line.cells.length > 0) ?? lines[0];
    page.banner.because = (cause?.text ?? "").replace(/, because:$/u, ".");
    panel.tell(lines);
    viewer.point(cause?.cells ?? []);
    page.banner.show();
  };
  page.picker.onRefused = (cells) => {
    refused = cells;
    show();
  };
  return {
    element: panel.element,
    show: () => {
      refused = [];
      show();
    },
  };
}

/**
 * What can be asked in a position.
 * @param {import("./types.js").Game} game
 * @param {import("./types.js").Frame} frame
 * @param {number} made How many moves were made.
 * @param {number} role Who is asked.
 * @param {number[]} refused Squares that were clicked in vain.
 * @param {(cell: number) => string} name
 */
export function questions(game, frame, made, role, refused, name) {
  /** @type {[string, Question][]} */
  const list = [];
  if (refused.length > 0 && role >= 0) {
    list.push([`Why not ${refused.map(name).join(" – ")}?`, { what: "move", role, cells: refused }]);
  }
  if (frame.ended === "over") list.push(["Why is it over?", { what: "over" }]);
  else {
    if (role >= 0) {
      const who = game.roles.length > 1 ? `does ${readable(game.roles[role] ?? "")} need` : "is needed";
      list.push([`What ${who}?`, { what: "win", role }]);
    }
    list.push(["Why is it not over?", { what: "over" }]);
  }
  if (made > 0) list.push(["What did the last move change?", { what: "change" }]);
  return list;
}
