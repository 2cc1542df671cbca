/**
 * The page to write games: the editor, what is wrong with the sheet at each pause of typing, and what the game is like.
 * Sheets are kept in this browser (`write-shelf.js`); they go to the program that serves this page and nowhere else.
 */
import { forgetGames, games, get, post } from "./api.js";
import { aborted, busy, button, element, field, message, notice, replace } from "./dom.js";
import { makeEditor } from "./editor.js";
import { notationOf } from "./highlight.js";
import { current, fromLink } from "./library.js";
import { go } from "./router.js";
import { LiveBoard } from "./write-board.js";
import { factsOf, statisticsOf } from "./write-facts.js";
import { marksOf, showProblems, summary } from "./write-problems.js";
import { Shelf } from "./write-shelf.js";
import { TEMPLATES } from "./write-templates.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./write-problems.js").Problem} Problem */

/** How long a pause of typing must be before the sheet is checked. */
const PAUSE = 300;
/** How long a sound sheet must stay as it is before it is tried out without being asked for. */
const REST = 1500;
/** Sheets that take longer than this to try out are tried out on demand only. */
const SLOW = 5000;
/** How long the playouts of a sheet may take, in seconds. */
const PLAYOUT_SECONDS = 1;

/** The page with its parts. */
class WritePage {
  /**
   * @param {HTMLElement} root
   * @param {AbortSignal} signal
   */
  constructor(root, signal) {
    this.root = root;
    this.signal = signal;
    this.checking = new AbortController();
    this.trying = new AbortController();
    this.isQuick = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.editor = makeEditor({ label: "Rule sheet", onInput: () => this.changed() });
    this.name = element("input", { type: "text", maxLength: 60 });
    this.shelf = new Shelf(this.editor, this.name, () => this.opened());
    this.status = element("p", { class: "write-status", role: "status" });
    this.problems = element("div", { class: "problems" });
    this.live = new LiveBoard(this.editor, signal);
    this.facts = element("div", {});
    this.figures = element("div", {});
    this.stale = element("p", { class: "hint write-stale", hidden: true }, "The sheet has changed since these were made.");
    this.playButton = button("Play it", () => busy(this.playButton, () => this.play()), { class: "button primary" });
    this.tryButton = button("Try it out", () => busy(this.tryButton, () => this.tryOut()), { title: "Facts and random playouts" });
    this.formatButton = button("Format", () => busy(this.formatButton, () => this.format(notationOf(this.editor.text()))));
    this.otherButton = button("To infix", () => busy(this.otherButton, () => this.format(notationOf(this.editor.text()) === "kif" ? "infix" : "kif")));
    signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  /** @param {import("./types.js").GameCard[]} bundled */
  lay(bundled) {
    const from = element("select", {});
    from.append(element("option", { value: "" }, "choose…"));
    const small = element("optgroup", { label: "Templates" });
    small.append(...TEMPLATES.map(({ name, about }) => element("option", { value: `template:${name}` }, about)));
    const games = element("optgroup", { label: "Bundled games" });
    games.append(...bundled.map(({ id, title }) => element("option", { value: `game:${id}` }, title)));
    from.append(small, games);
    from.addEventListener("change", () => {
      const value = from.value;
      from.value = "";
      this.start(value).catch((problem) => notice(message(problem), "error"));
    });
    replace(
      this.root,
      element("h1", {}, "Write a game"),
      element("p", { class: "lead" }, "Rules in the Game Description Language. They are checked while you type; what is wrong is marked at its place."),
      element("div", { class: "write-bar" }, field("Your sheets", this.shelf.choice), field("Name", this.name), field("New from", from),
        element("div", { class: "write-buttons" }, this.playButton, this.tryButton, this.formatButton, this.otherButton)),
      element("div", { class: "write-columns" },
        element("section", { class: "write-sheet", "aria-label": "Sheet" }, this.editor.element, this.status, this.problems,
          this.shelf.element,
          element("p", { class: "hint" }, this.shelf.saved, " It goes to your own Paidia, which serves this page, and nowhere else.")),
        element("section", { class: "write-side panel", "aria-label": "The game" },
          this.live.element, element("h2", {}, "Is it any good?"), this.stale, this.figures, element("h2", {}, "Facts"), this.facts)),
    );
  }

  /**
   * Starts a new sheet beside those that are there.
   * @param {string} what
   */
  async start(what) {
    const id = what.replace(/^game:/u, "");
    const template = TEMPLATES.find((entry) => `template:${entry.name}` === what);
    if (what === "") return;
    const title = template ? (template.about.split(":")[0] ?? template.name) : id;
    const game = template ? { title, text: template.text } : await this.game(id);
    this.shelf.add(game.title, game.text ?? "");
  }

  /** Another sheet is in the editor. */
  opened() {
    this.isQuick = true;
    this.live.moves = [];
    this.changed();
    this.check().then((sound) => (sound ? busy(this.tryButton, () => this.tryOut()) : undefined), () => {});
  }

  /** @param {string} id @returns {Promise<Game>} */
  game(id) {
    return get(`/api/games/${encodeURIComponent(id)}`, this.signal);
  }

  changed() {
    this.shelf.save();
    this.stale.hidden = this.figures.childElementCount === 0;
    this.status.classList.add("stale");
    this.otherButton.textContent = notationOf(this.editor.text()) === "kif" ? "To infix" : "To prefix";
    this.trying.abort();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.checkAndTry(), PAUSE);
  }

  /** Checks the sheet, and tries it out if it is sound and typing has stopped. */
  async checkAndTry() {
    const sound = await this.check();
    if (sound && this.isQuick) this.timer = setTimeout(() => busy(this.tryButton, () => this.tryOut()), REST);
  }

  /** Asks what is wrong; tells whether the sheet can be played. */
  async check() {
    clearTimeout(this.timer);
    this.checking.abort();
    this.checking = new AbortController();
    const signal = AbortSignal.any([this.checking.signal, this.signal]);
    const text = this.editor.text();
    try {
      const answer = await post("/api/check", { text }, signal);
      this.tell(text, answer.problems, answer.dialect);
      if (answer.ok) void this.live.update(text, this.name.value.trim() || "My game");
      return Boolean(answer.ok);
    } catch (problem) {
      if (!aborted(problem)) this.status.textContent = message(problem);
      return false;
    }
  }

  /**
   * @param {string} text
   * @param {Problem[]} problems
   * @param {string} [dialect]
   */
  tell(text, problems, dialect) {
    this.status.textContent = `${dialect ? `${dialect}: ` : ""}${summary(problems)}`;
    this.status.classList.remove("stale");
    this.status.classList.toggle("error", problems.some((problem) => problem.severity === "error"));
    this.status.classList.toggle("warning", problems.length > 0);
    this.editor.mark(marksOf(text, problems));
    showProblems(this.problems, problems, this.editor);
  }

  /** Gives the sheet to the server as a game; null if it cannot be one, which is then told. @returns {Promise<Game | null>} */
  async submit() {
    const text = this.editor.text();
    try {
      const game = await post("/api/games", { name: this.name.value.trim() || "My game", text }, this.signal);
      forgetGames();
      return game;
    } catch (problem) {
      const found = /** @type {any} */ (problem)?.body?.problems;
      if (!Array.isArray(found)) throw problem;
      this.tell(text, found);
      notice(message(problem), "error");
      return null;
    }
  }

  async play() {
    const game = await this.submit();
    if (game) go(`/games/${encodeURIComponent(game.id)}`);
  }

  async tryOut() {
    this.trying.abort();
    this.trying = new AbortController();
    const signal = AbortSignal.any([this.trying.signal, this.signal]);
    const begun = performance.now();
    const game = await this.submit();
    if (!game || signal.aborted) return;
    const path = `/api/games/${encodeURIComponent(game.id)}`;
    replace(this.facts, factsOf({ turns: game.turns, ...(await get(`${path}/info`, signal)) }));
    if (this.figures.childElementCount === 0) replace(this.figures, element("p", { class: "hint" }, "Playing at random…"));
    const figures = await post(`${path}/statistics`, { seconds: PLAYOUT_SECONDS, seed: 1 }, signal);
    replace(this.figures, statisticsOf(figures));
    this.stale.hidden = true;
    this.isQuick = performance.now() - begun < SLOW;
  }

  /** @param {"kif" | "infix"} to */
  async format(to) {
    const { text } = await post("/api/format", { text: this.editor.text(), to }, this.signal);
    if (text !== this.editor.text()) {
      this.shelf.keepVersion();
      this.editor.replace(text);
    }
    await this.check();
  }
}

/**
 * @param {HTMLElement} root
 * @param {Route} route
 */
export async function show(root, { query, signal }) {
  const page = new WritePage(root, signal);
  page.lay(await games());
  const asked = query.get("game");
  const sent = await fromLink(location.hash).catch((problem) => {
    notice(message(problem), "error");
    return null;
  });
  if (asked || sent || location.hash) history.replaceState(history.state, "", "/write");
  if (sent) page.shelf.add(sent.name, sent.text);
  else if (asked) await page.start(`game:${asked}`);
  else {
    const kept = current();
    if (kept) page.shelf.open(kept);
    else page.shelf.add("My game", TEMPLATES[0]?.text ?? "");
  }
}
