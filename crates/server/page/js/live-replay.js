/**
 * A match in real time seen again, at any speed: a slider over its time, and a button that lets it go on.
 *
 *     const replay = new LiveReplay({ end, moments }, pace, (moment) => ..., signal);
 *     root.append(replay.element);
 */
import { button, choice, element, readable } from "./dom.js";

/** @typedef {import("./live.js").Moment} Moment */

/** @type {[string, string][]} */
const SPEEDS = [["0.25", "a quarter"], ["0.5", "half"], ["1", "as it was"], ["2", "twice"], ["5", "five times"], ["20", "twenty times"]];

export class LiveReplay {
  /**
   * @param {{end: number, moments: Moment[]}} match
   * @param {number} pace Seconds that a unit of time took.
   * @param {(moment: Moment) => void} onMoment
   * @param {AbortSignal} signal
   */
  constructor(match, pace, onMoment, signal) {
    this.match = match;
    this.pace = pace;
    this.onMoment = onMoment;
    this.time = match.end;
    this.speed = 1;
    this.running = false;
    /** @type {Moment | null} */
    this.shown = null;
    this.slider = element("input", { type: "range", min: "0", max: String(match.end), step: "any", value: String(match.end), "aria-label": "Time" });
    this.text = element("span", { class: "live-replay-time" }, "");
    this.play = button("Play", () => this.#toggle());
    const speeds = choice(SPEEDS, "1", (value) => {
      this.speed = Number(value);
    });
    speeds.setAttribute("aria-label", "Speed");
    this.slider.addEventListener("input", () => {
      this.running = false;
      this.#stand(Number(this.slider.value));
    });
    this.element = element("div", { class: "live-replay", role: "group", "aria-label": "Replay" }, this.play, this.slider, speeds, this.text);
    let before = performance.now();
    const tick = () => {
      if (signal.aborted) return;
      const now = performance.now();
      if (this.running) this.#stand(this.time + ((now - before) / 1000 / this.pace) * this.speed);
      before = now;
      requestAnimationFrame(tick);
    };
    tick();
  }

  #toggle() {
    this.running = !this.running;
    if (this.running && this.time >= this.match.end) this.#stand(0);
    this.play.textContent = this.running ? "Pause" : "Play";
  }

  /** @param {number} time */
  #stand(time) {
    this.time = Math.min(time, this.match.end);
    if (this.time >= this.match.end) this.running = false;
    this.play.textContent = this.running ? "Pause" : "Play";
    this.slider.value = String(this.time);
    const { moments } = this.match;
    let place = moments.findLastIndex((moment) => moment.time <= this.time);
    if (place < 0) place = 0;
    const moment = moments[place];
    if (!moment) return;
    const made = Object.entries(moment.moves).map(([role, move]) => `${readable(role)}: ${readable(move)}`);
    this.text.textContent = `${this.time.toFixed(2)} ${made.join(", ")}`;
    if (moment === this.shown) return;
    this.shown = moment;
    this.onMoment(moment);
  }
}
