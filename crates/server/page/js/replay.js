/**
 * A match that was played, move by move; from any position of it one may play on, or ask players what they think.
 */
import { Analysis } from "./analysis.js";
import { get, players, post } from "./api.js";
import { Beliefs } from "./beliefs.js";
import { busy, button, choice, element, field, number, readable, replace } from "./dom.js";
import { dateOf, result } from "./matches.js";
import { Review } from "./review.js";
import { go } from "./router.js";
import { seatPicker } from "./seats.js";
import { shareButton } from "./share.js";
import { Viewer } from "./viewer.js";

/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./matches.js").MatchLine} MatchLine */

const HUMAN = "human";

/** The page of one match. */
class Replay {
  /**
   * @param {{match: MatchLine, game: Game, frames: Frame[], differs?: string | null}} record
   * @param {import("./types.js").Player[]} catalogue
   * @param {AbortSignal} signal
   */
  constructor({ match, game, frames, differs }, catalogue, signal) {
    this.match = match;
    this.differs = differs ?? "";
    this.game = game;
    this.signal = signal;
    this.viewer = new Viewer(game, { autoplay: true, onShow: () => this.moved() });
    const seats = game.roles.flatMap((name, role) => (role === game.random ? [] : [/** @type {[string, string]} */ ([String(role), readable(name)])]));
    this.role = choice(seats, seats[0]?.[0] ?? "0");
    this.opponent = seatPicker("Against", catalogue, catalogue[0]?.name ?? "paidia");
    this.playButton = button("Play on from here", () => busy(this.playButton, () => this.playOn()), { class: "button primary" });
    this.analysis = new Analysis(this.viewer, catalogue, signal);
    this.viewer.side.append(element("details", { class: "panel replay-tools" }, element("summary", {}, "Play on from here"),
      element("div", { class: "row" }, field("You are", this.role), seats.length > 1 ? this.opponent.element : null), this.playButton));
    this.viewer.below.append(element("div", { class: "actions" }, shareButton(game, () => this.viewer.path)));
    this.viewer.element.querySelector(".side")?.append(this.analysis.element);
    this.beliefs = new Beliefs(this.viewer, signal);
    this.viewer.side.append(this.beliefs.element);
    this.review = new Review(this.viewer, signal, async (at, role) => {
      this.viewer.goTo(at);
      this.role.value = String(role);
      await this.playOn();
    });
    this.viewer.side.append(this.review.element);
    this.viewer.setFrames(frames, 0);
  }

  heading() {
    const { match } = this;
    return [
      element("p", { class: "crumbs" }, element("a", { href: "/matches" }, "All matches"), " › ",
        element("a", { href: `/games/${encodeURIComponent(this.game.id)}` }, this.game.title)),
      element("h1", {}, match.title || this.game.title),
      element("p", { class: "match-heading" }, ...result(match.players, match.goals), " ",
        element("span", { class: "hint" }, `${number(match.moves)} moves, ${dateOf(match.date)}${match.completed ? "" : "; it was broken off"}`)),
      this.differs ? element("p", { class: "failure" }, `The record and the rules do not agree from here on: ${this.differs}`) : null,
    ];
  }

  /** What was found is about one position, and where a game is over it cannot be played on. */
  moved() {
    this.analysis.stale();
    this.beliefs?.moved();
    this.playButton.disabled = this.viewer.frame.ended === "over";
  }

  async playOn() {
    const mine = Number(this.role.value);
    const seats = this.game.roles.map((_, role) => (role === this.game.random ? null : role === mine ? HUMAN : this.opponent.value()));
    const { id } = await post("/api/tables", { game: this.game.id, seats, seconds: 1, pace: 0.8, from: this.viewer.path }, this.signal);
    go(`/tables/${encodeURIComponent(id)}`);
  }
}

/**
 * @param {HTMLElement} root
 * @param {Route} route
 */
export async function show(root, { params, query, signal }) {
  const [record, catalogue] = await Promise.all([get(`/api/matches/${encodeURIComponent(params["id"] ?? "")}`, signal), players()]);
  if (record.live) {
    const { showLiveMatch } = await import("./live-match.js");
    showLiveMatch(root, record, signal);
    return;
  }
  const page = new Replay(record, catalogue, signal);
  document.title = `${record.match.title || record.game.title} · Paidia`;
  replace(root, ...page.heading(), page.viewer.element);
  const at = Number(query.get("at"));
  if (at > 0) page.viewer.goTo(at);
  if (query.has("review")) void page.review.start();
}
