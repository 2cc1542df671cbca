/**
 * Video games: a list of them, and one that is played with the arrow keys and the space bar, or watched.
 *
 * The page keeps the time. A tick is asked for when it is due, by the clock and not by the last answer, so that 25 a
 * second stay 25 a second; where answers are late, ticks are left out and not made up for.
 */
import { get, post } from "./api.js";
import { announce, button, element, field, message, replace } from "./dom.js";
import { drawFrame, fit } from "./video-draw.js";
import { editor } from "./video-write.js";

/** @typedef {import("./video-draw.js").Opened} Opened */
/** @typedef {import("./video-draw.js").Frame} Frame */
/** @typedef {{name: string, title: string, rules: string, levels: number, text: string}} Card */
/** @typedef {{games: Card[], controllers: {name: string, about: string}[]}} Arcade */

/** @type {Record<string, string>} */
const KEYS = { ArrowUp: "UP", ArrowDown: "DOWN", ArrowLeft: "LEFT", ArrowRight: "RIGHT", " ": "USE" };
const USUAL_PACE = 25;

/** @type {import("./types.js").Page} */
export async function show(root, { params, query, signal }) {
  const arcade = /** @type {Arcade} */ (await get("/api/video", signal));
  const card = arcade.games.find((game) => game.name === params.id);
  if (params.id === undefined) list(root, arcade);
  else if (card) await play(root, arcade, card, Number(query.get("level") ?? 0), signal);
  else throw new Error(`There is no video game ${params.id}.`);
}

/**
 * @param {HTMLElement} root
 * @param {Arcade} arcade
 */
function list(root, arcade) {
  replace(
    root,
    element("h1", {}, "Video games"),
    element("p", {}, "Play with the arrow keys and the space bar, watch controllers, or change the rules while you play."),
    element("ul", { class: "video-list" }, ...arcade.games.map((game) =>
      element("li", { class: "panel" },
        element("h2", {}, element("a", { href: `/video/${game.name}` }, game.title)),
        element("p", {}, game.rules)))),
  );
}

/** A game that is played, with its clock. */
class Session {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(frame: Frame) => void} onFrame
   * @param {AbortSignal} signal
   */
  constructor(canvas, onFrame, signal) {
    this.canvas = canvas;
    this.onFrame = onFrame;
    this.signal = signal;
    /** @type {Opened | null} */
    this.game = null;
    this.player = "";
    this.pace = USUAL_PACE;
    this.running = false;
    /** @type {string[]} Keys that are held, the last one first. */
    this.held = [];
    this.tapped = "";
    this.asking = false;
    this.due = 0;
    /** @type {number[]} When the last ticks were shown. */
    this.shown = [];
  }

  /** @param {object} wish */
  async open(wish) {
    this.game = /** @type {Opened} */ (await post("/api/video", wish, this.signal));
    fit(this.canvas, this.game, Math.min(1100, this.canvas.parentElement?.clientWidth ?? 800));
    this.take(this.game.frame);
  }

  /** @param {Frame} frame */
  take(frame) {
    if (!this.game) return;
    drawFrame(this.canvas, this.game, frame);
    if (frame.over) this.running = false;
    this.onFrame(frame);
  }

  start() {
    if (this.running) return;
    this.running = true;
    this.due = performance.now();
    this.shown = [];
    this.loop();
  }

  stop() {
    this.running = false;
  }

  loop() {
    if (!this.running || this.signal.aborted) return;
    this.stepIfDue();
    requestAnimationFrame(() => this.loop());
  }

  stepIfDue() {
    const now = performance.now();
    if (!this.running || this.asking || now < this.due) return;
    const every = 1000 / this.pace;
    this.due += every * Math.max(1, Math.floor((now - this.due) / every));
    void this.step();
  }

  /** Milliseconds that a player may think: what a tick has, less the way there and back, and 40 at most. */
  thinking() {
    return Math.max(5, Math.min(40, Math.floor(1000 / this.pace) - 6));
  }

  async step() {
    if (!this.game || this.asking) return;
    this.asking = true;
    const action = this.tapped || this.held[0] || "NIL";
    this.tapped = "";
    try {
      const wish = this.player ? { player: this.player, thinking: this.thinking() } : { action };
      this.take(await post(`/api/video/${this.game.id}/step`, wish, this.signal));
      this.shown.push(performance.now());
      if (this.shown.length > 50) this.shown.shift();
    } catch (problem) {
      this.running = false;
      if (!this.signal.aborted) announce(message(problem));
    } finally {
      this.asking = false;
      // A player that thinks until the next tick is due does not wait for the next picture.
      this.stepIfDue();
    }
  }

  /** @param {number} tick */
  async seek(tick) {
    if (!this.game || this.asking) return;
    this.stop();
    this.take(await post(`/api/video/${this.game.id}/seek`, { tick }, this.signal));
  }

  /** Ticks a second, as they were shown. */
  rate() {
    const [first, last] = [this.shown[0], this.shown.at(-1)];
    if (first === undefined || last === undefined || last <= first) return 0;
    return (1000 * (this.shown.length - 1)) / (last - first);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const action = KEYS[event.key];
    const inField = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, button");
    if (!action || inField) return;
    event.preventDefault();
    this.held = this.held.filter((held) => held !== action);
    if (event.type === "keydown") {
      this.held.unshift(action);
      if (!event.repeat) this.tapped = action;
    }
  }
}

/**
 * @param {HTMLElement} root
 * @param {Arcade} arcade
 * @param {Card} card
 * @param {number} level
 * @param {AbortSignal} signal
 */
async function play(root, arcade, card, level, signal) {
  const canvas = element("canvas", { class: "video-canvas", tabIndex: 0, role: "img", "aria-label": card.title });
  const status = element("p", { class: "video-status" });
  const scrub = element("input", { type: "range", min: "0", max: "0", value: "0" });
  const rate = element("output", { class: "video-rate" });
  const session = new Session(canvas, shown, signal);
  /** @type {object} */
  let wish = { game: card.name, level, seed: Date.now() % 1e9 };

  const toggle = button("Play", () => (session.running ? pause() : resume()), { class: "button primary" });
  const single = button("Step", () => { pause(); void session.step(); });
  const again = button("Restart", () => void restart());
  const pace = element("input", {
    type: "range", min: "1", max: "60", value: String(USUAL_PACE),
    oninput: () => { session.pace = Number(pace.value); },
  });
  const who = element("select", { onchange: () => { session.player = who.value; canvas.focus(); } },
    element("option", { value: "" }, "You"),
    ...arcade.controllers.map((one) => element("option", { value: one.name, title: one.about }, one.name)));
  const levels = element("select", {
    onchange: () => { wish = { ...wish, level: Number(levels.value) }; void restart(); },
  }, ...Array.from({ length: card.levels }, (_, number) =>
    element("option", { value: String(number), selected: number === level }, `Level ${number}`)));
  scrub.addEventListener("input", () => void session.seek(Number(scrub.value)));

  /** @param {Frame} frame */
  function shown(frame) {
    const has = frame.has.map(([name, amount]) => `${name} ${amount}`).join(", ");
    const end = frame.win === 1 ? " · won" : frame.over ? " · lost" : "";
    const thought = frame.thought > 0 && session.player ? ` · thought ${frame.thought.toFixed(0)} ms, ${frame.calls} calls` : "";
    status.textContent = `Score ${frame.score} · tick ${frame.tick}${has && ` · ${has}`}${thought}${end}`;
    status.dataset.win = String(frame.win);
    status.dataset.over = String(frame.over);
    status.dataset.tick = String(frame.tick);
    scrub.max = String(frame.length);
    scrub.value = String(frame.tick);
    rate.textContent = session.running ? `${session.rate().toFixed(1)} ticks/s` : "";
    toggle.textContent = session.running ? "Pause" : "Play";
    if (frame.over) announce(frame.win === 1 ? "Won." : "Lost.");
  }
  function pause() {
    session.stop();
    toggle.textContent = "Play";
  }
  function resume() {
    session.start();
    toggle.textContent = "Pause";
    canvas.focus();
  }
  async function restart() {
    pause();
    await session.open(wish);
    canvas.focus();
  }

  /** @param {KeyboardEvent} event */
  const key = (event) => session.key(event);
  addEventListener("keydown", key, { signal });
  addEventListener("keyup", key, { signal });
  addEventListener("blur", () => { session.held = []; }, { signal });

  const write = editor(card, signal, async (text, number) => {
    const running = session.running;
    pause();
    wish = { text, level: number, seed: 1 };
    await session.open(wish);
    if (running) resume();
    return /** @type {Opened} */ (session.game);
  });
  replace(
    root,
    element("h1", {}, card.title),
    element("p", {}, card.rules),
    element("div", { class: "video-stage" }, canvas),
    status,
    element("div", { class: "video-controls" }, toggle, single, again, field("Player", who), field("Level", levels),
      field("Speed", pace), rate),
    element("div", { class: "video-controls" }, field("Back to a tick", scrub)),
    element("p", { class: "hint" }, "Arrow keys move, the space bar acts. A click on Play gives the keys to the game."),
    write,
  );
  await session.open(wish);
}
