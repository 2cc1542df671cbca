/**
 * Above the board: who plays what, whose turn it is, who thinks; at the end the result with a button for another game.
 */
import { busy, button, element, inline, number, readable, replace } from "./dom.js";
import { outcome } from "./results.js";
import { seatName, swapped } from "./seats.js";
import { valueOf } from "./viewer.js";

const SECRET = "Some things are hidden here: you see what your role is told, and what is certain by that. Programs know no more.";

export class Banner {
  /** @param {import("./table.js").TableView} page */
  constructor(page) {
    this.page = page;
    this.offline = false;
    /** Why there is nothing here any more. */
    this.gone = "";
    /** Whether the result was put aside to look at the board. */
    this.isAside = false;
    /** Lies over the board when the game has ended. */
    this.end = element("div", { class: "end-over", hidden: true });
    /** What of the end is drawn there. */
    this.drawn = "";
    /** Why it is over, by the rules. */
    this.because = "";
    /** Whether pieces are turned over, so that their numbers are of interest. */
    this.counts = false;
    /** What was hinted in this position. */
    this.hint = "";
    this.text = "";
    this.element = element("div", { class: "banner-area" });
  }

  show() {
    const { page } = this;
    this.counts ||= turnsOver(page.viewer.frames, page.game.roles);
    const { ended } = page.newest;
    if (!ended) [this.isAside, this.because] = [false, ""];
    this.text = ended ? this.#ending() : this.#status();
    this.#showEnd(Boolean(ended));
    replace(this.element, element("ul", { class: "roles", "aria-label": "Roles" }, ...page.game.roles.map((_, role) => this.#role(role))),
      element("p", { class: page.asked === null ? "status" : "status yours" }, this.text, ended && this.isAside ? this.#back() : null),
      page.veiled === null ? null : element("p", { class: "muted secret" }, SECRET));
    document.title = `${page.asked === null ? "" : "Your move · "}${page.game.title} · Paidia`;
  }

  #ending() {
    const { page } = this;
    if (!page.viewer.last) return `Looking back at position ${page.viewer.at}`;
    const result = outcome(page.game, page.table.seats, page.newest);
    return `${result.headline} ${result.why}`.trim();
  }

  /** @param {boolean} ended */
  #showEnd(ended) {
    const shown = ended && !this.isAside && this.page.viewer.last;
    const drawn = `${this.page.newest.ply} ${this.page.table.match} ${this.page.newest.ended} ${this.because}`;
    if (shown && (this.end.hidden || this.drawn !== drawn)) replace(this.end, this.#end());
    this.drawn = drawn;
    this.end.hidden = !shown;
  }

  #back() {
    return button("Show the result", () => {
      this.isAside = false;
      this.show();
    }, { class: "button quiet" });
  }

  #status() {
    const { page } = this;
    if (this.gone) return this.gone;
    if (this.hint) return this.hint;
    if (this.offline) return "The connection is lost; trying again…";
    if (page.outside) return "Pass the screen to the one whose role is shown next";
    if (!page.viewer.last) return `Looking back at position ${page.viewer.at}`;
    const { asked } = page;
    const people = page.table.seats.filter((seat) => seat === "human").length;
    if (asked !== null) {
      const name = readable(page.game.roles[asked] ?? "");
      const hidden = page.newest.turn.length > 1 ? "; it is told when all have chosen" : "";
      if (page.game.roles.length === 1) return "Your move";
      return people > 1 ? `Choose for ${name}${hidden}` : `Your move, ${name}`;
    }
    if (page.table.paused && !page.people) return "Paused";
    if (page.thinking.size > 0) return `${[...page.thinking].map((role) => this.#who(role)).join(" and ")} ${page.thinking.size > 1 ? "think" : "thinks"}…`;
    if (page.chosen.size > 0) return "Chosen; waiting for the others…";
    if (page.secret) return "Waiting for the others…";
    return "…";
  }

  /** @param {number} role */
  #who(role) {
    const seat = seatOf(this.page, role);
    return `${seat} (${readable(this.page.game.roles[role] ?? "")})`;
  }

  /** @param {number} role */
  #role(role) {
    const { page } = this;
    const { frame } = page.viewer;
    const turn = !frame.ended && frame.turn.includes(role);
    const value = valueOf(frame, role);
    const goal = frame.goals?.[role];
    const seat = page.table.seats[role] ?? null;
    const note = page.chosen.has(role) ? "has chosen" : page.thinking.has(role) ? "thinks…" : turn ? "to move" : "";
    return element("li", { class: `role${turn ? " turn" : ""}${page.thinking.has(role) ? " thinking" : ""}` },
      element("span", { class: `swatch series-${role % 6}`, "aria-hidden": "true" }),
      element("span", { class: "role-name" }, readable(page.game.roles[role] ?? "")),
      element("span", { class: "role-seat" }, role === page.game.random ? "chance" : seatName(seat)),
      this.counts ? element("span", { class: "role-count", title: "On the board" }, frame.cells.filter((content) => content === page.game.roles[role]).length) : null,
      element("span", { class: "role-note" }, note), page.clocks.face(role),
      typeof goal === "number" ? element("strong", { class: "role-goal" }, number(goal)) :
        value === null ? null : element("span", { class: "role-value", title: "Value by the last search" }, number(value)));
  }

  #end() {
    const { page } = this;
    const result = outcome(page.game, page.table.seats, page.newest);
    const again = button("Play again", () => busy(again, () => page.again()), { class: "button primary" });
    const others = swapped(page.table.seats, page.game.random);
    const swap = button("Other side", () => busy(swap, () => page.again(undefined, others)), { title: "Play again with sides swapped" });
    const aside = button("×", () => {
      this.isAside = true;
      this.show();
    }, { class: "plain aside", "aria-label": "Look at the board" });
    const record = page.table.match ? `/matches/${encodeURIComponent(page.table.match)}` : "";
    return element("section", { class: `end ${result.mood}`, "aria-label": "Result" },
      element("h2", {}, result.headline),
      result.why ? element("p", {}, result.why) : null,
      this.because ? element("p", { class: "end-because" }, ...inline(this.because)) : null,
      element("p", { class: "end-results" }, result.results.map(({ role, goal }) => `${readable(page.game.roles[role] ?? "")} ${goal ?? "–"}`).join(" · ")),
      element("div", { class: "actions" }, again, new Set(page.table.seats).size > 1 && others.join() !== page.table.seats.join() ? swap : null,
        record ? element("a", { class: "button", href: `${record}?review=1` }, "Review") : null,
        record ? element("a", { class: "button", href: record }, "Its record") : null,
        element("a", { class: "button", href: "/" }, "Another game")), aside);
  }
}

/**
 * Whether a move made pieces of one role those of another on squares that it did not name, as in Othello.
 * @param {import("./types.js").Frame[]} frames
 * @param {string[]} roles
 */
function turnsOver(frames, roles) {
  return frames.some((frame, index) => {
    const before = frames[index - 1]?.cells;
    const named = frame.made?.cells ?? [];
    return before !== undefined && frame.cells.some((content, cell) => content !== before[cell] && !named.includes(cell)
      && roles.includes(content ?? "") && roles.includes(before[cell] ?? ""));
  });
}

/**
 * @param {import("./table.js").TableView} page
 * @param {number} role
 */
function seatOf(page, role) {
  return seatName(page.table.seats[role] ?? null);
}
