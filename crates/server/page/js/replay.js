/**
 * A match that was played, move by move; from any position of it one may play on, or ask players what they think.
 */
import { get, players, post } from "./api.js";
import { decisionPanel } from "./decision.js";
import { announce, busy, button, choice, element, field, number, readable, replace } from "./dom.js";
import { dateOf, result } from "./matches.js";
import { go } from "./router.js";
import { Viewer } from "./viewer.js";

/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./matches.js").MatchLine & {seconds?: number}} Heading */

const HUMAN = "human";

/** How a match ended, for people. @param {string | null | undefined} ended */
function endingOf(ended) {
  if (!ended || ended === "over") return "";
  return ended === "cut" ? "It was cut for length." : `It ended early: ${ended}.`;
}

/** The page of one match. */
class Replay {
  /**
   * @param {{match: Heading, game: Game, frames: Frame[]}} record
   * @param {import("./types.js").Player[]} catalogue
   * @param {AbortSignal} signal
   */
  constructor({ match, game, frames }, catalogue, signal) {
    this.match = match;
    this.game = game;
    this.signal = signal;
    this.viewer = new Viewer(game, { autoplay: true, onShow: () => this.moved() });
    const names = catalogue.map((player) => player.name);
    this.playRole = choice(this.roles().map(({ role, name }) => [String(role), readable(name)]), "0");
    this.opponent = choice(names, names[0] ?? "paidia");
    this.playButton = button("Play on from here", () => busy(this.playButton, () => this.playOn()), { class: "button primary" });
    this.analyst = choice(names, names[0] ?? "paidia");
    this.analyseButton = button("Analyse here", () => busy(this.analyseButton, () => this.analyse()));
    this.seconds = element("input", { type: "number", min: "0.1", max: "10", step: "any", value: "1" });
    this.found = element("div", { class: "analysis", "aria-live": "polite" });
    this.viewer.side.append(this.panel());
    this.viewer.setFrames(frames, 0);
  }

  /** The roles that a player has; nobody chooses for `random`. */
  roles() {
    return this.game.roles.map((name, role) => ({ role, name })).filter(({ role }) => role !== this.game.random);
  }

  heading() {
    const { match } = this;
    return [
      element("p", {}, element("a", { href: "/matches" }, "All matches")),
      element("h1", {}, match.title || this.game.title),
      element("p", { class: "match-heading" }, ...result(match.players, match.goals), " ",
        element("span", { class: "hint" }, `${number(match.moves)} moves, ${dateOf(match.date)}. ${endingOf(match.ended)}`)),
    ];
  }

  panel() {
    return element("section", { class: "panel replay-tools", "aria-label": "From here" },
      element("div", { class: "row" }, field("You are", this.playRole), field("against", this.opponent), this.playButton),
      element("div", { class: "row" }, field("Player", this.analyst), field("Seconds", this.seconds), this.analyseButton),
      this.found);
  }

  /** What was found is about one position; at another it is gone. */
  moved() {
    replace(this.found);
    const over = Boolean(this.viewer.frame.ended) || this.viewer.frame.goals != null;
    this.playButton.disabled = over;
    this.analyseButton.disabled = over;
  }

  async playOn() {
    const mine = Number(this.playRole.value);
    const seats = this.game.roles.map((_, role) => (role === this.game.random ? null : role === mine ? HUMAN : this.opponent.value));
    const { id } = await post("/api/tables", { game: this.game.id, seats, seconds: 1, pace: 0.5, from: this.viewer.path }, this.signal);
    go(`/tables/${encodeURIComponent(id)}`);
  }

  async analyse() {
    const { frame } = this.viewer;
    const body = { game: this.game.id, moves: this.viewer.path, role: null, players: [this.analyst.value], seconds: Number(this.seconds.value) || 1 };
    const { decisions } = await post("/api/analyse", body, this.signal);
    if (this.viewer.frame !== frame) return;
    const pointing = {
      onPoint: (/** @type {number[]} */ cells) => this.viewer.boards.mark({ last: frame.made?.cells ?? [], hint: cells }),
      onLine: (/** @type {import("./types.js").LineMove[]} */ line) => this.viewer.boards.line(line, frame),
    };
    replace(this.found, ...decisions.map((/** @type {Decision} */ decision) => decisionPanel(decision, this.game.roles, pointing)));
    const [best] = /** @type {Decision[]} */ (decisions);
    if (best) announce(`${best.player} would play ${readable(best.move)}`);
  }
}

/**
 * @param {HTMLElement} root
 * @param {Route} route
 */
export async function show(root, { params, query, signal }) {
  const [record, catalogue] = await Promise.all([get(`/api/matches/${encodeURIComponent(params["id"] ?? "")}`, signal), players()]);
  const page = new Replay(record, catalogue, signal);
  document.title = `${record.match.title || record.game.title} · Paidia`;
  replace(root, ...page.heading(), page.viewer.element);
  const at = Number(query.get("at"));
  if (at > 0) page.viewer.goTo(at);
}
