/**
 * Line charts as SVG, for values over time.
 *
 *     const chart = new LineChart({ label: "Value for each role", low: 0, high: 100, onPick: (index) => ... });
 *     root.append(chart.element);
 *     chart.show({ series: [{ name: "white", values: [50, null, 61] }, ...], at: 2, ticks: (index) => `move ${index}` });
 *
 * A series may have gaps (null). A click, or the arrow keys while the chart has the focus, picks an index. The colours
 * of series are the classes `series-0` to `series-5`, the same as those of roles elsewhere.
 */
import { drawing, element, number } from "./dom.js";

/** @typedef {{name: string, values: (number | null)[]}} Series */
/** @typedef {{series: Series[], at?: number, ticks?: (index: number) => string}} Shown */

const WIDTH = 420;
const HEIGHT = 180;
const EDGE = { left: 34, right: 10, top: 10, bottom: 22 };

export class LineChart {
  /** @param {{label: string, low?: number, high?: number, onPick?: (index: number) => void}} options */
  constructor(options) {
    this.options = options;
    this.low = options.low ?? 0;
    this.high = options.high ?? 100;
    /** @type {Shown} */
    this.shown = { series: [] };
    const picks = Boolean(options.onPick);
    this.svg = drawing("svg", {
      class: picks ? "chart picks" : "chart",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: picks ? "slider" : "img",
      tabindex: picks ? 0 : undefined,
      "aria-label": options.label,
      ...(picks ? { "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0 } : {}),
    });
    this.legend = element("ul", { class: "legend" });
    this.element = element("figure", { class: "chart-figure" }, this.svg, this.legend);
    if (picks) this.#listen();
  }

  /** @param {Shown} shown */
  show(shown) {
    this.shown = shown;
    this.svg.replaceChildren(...this.#grid(), ...this.#lines(), ...this.#cursor());
    this.legend.replaceChildren(...shown.series.map((one, index) =>
      element("li", {}, element("span", { class: `swatch series-${index % 6}`, "aria-hidden": "true" }), `${one.name}${this.#valueText(one)}`)));
    if (!this.options.onPick) return;
    const at = shown.at ?? 0;
    this.svg.setAttribute("aria-valuemax", String(Math.max(0, this.#count() - 1)));
    this.svg.setAttribute("aria-valuenow", String(at));
    this.svg.setAttribute("aria-valuetext", [this.#tick(at), ...shown.series.map((one) => `${one.name}${this.#valueText(one)}`)].join(", "));
  }

  #count() {
    return Math.max(0, ...this.shown.series.map((one) => one.values.length));
  }

  /** @param {number} index */
  #tick(index) {
    return this.shown.ticks?.(index) ?? String(index);
  }

  /** @param {Series} series */
  #valueText(series) {
    const value = this.shown.at === undefined ? null : series.values[this.shown.at];
    return typeof value === "number" ? ` ${number(value, 1)}` : "";
  }

  /** @param {number} index */
  #x(index) {
    return EDGE.left + ((WIDTH - EDGE.left - EDGE.right) * index) / Math.max(1, this.#count() - 1);
  }

  /** @param {number} value */
  #y(value) {
    const share = (value - this.low) / (this.high - this.low || 1);
    return EDGE.top + (HEIGHT - EDGE.top - EDGE.bottom) * (1 - Math.min(1, Math.max(0, share)));
  }

  #grid() {
    const values = [0, 0.25, 0.5, 0.75, 1].map((share) => this.low + share * (this.high - this.low));
    const lines = values.flatMap((value) => [
      drawing("line", { class: "grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: this.#y(value), y2: this.#y(value) }),
      drawing("text", { class: "tick", x: EDGE.left - 6, y: this.#y(value), "text-anchor": "end" }, number(value, 1)),
    ]);
    const count = this.#count();
    const every = Math.max(1, Math.ceil(count / 8));
    const ticks = Array.from({ length: count }, (_, index) => index).filter((index) => index % every === 0);
    return [...lines, ...ticks.map((index) =>
      drawing("text", { class: "tick", x: this.#x(index), y: HEIGHT - 7, "text-anchor": "middle" }, index))];
  }

  #lines() {
    return this.shown.series.flatMap((one, index) => {
      /** @type {string[]} */
      const path = [];
      let pen = false;
      one.values.forEach((value, place) => {
        if (value === null) return;
        path.push(`${pen ? "L" : "M"}${this.#x(place).toFixed(1)} ${this.#y(value).toFixed(1)}`);
        pen = true;
      });
      const few = one.values.length <= 60;
      const dot = (/** @type {number} */ place, /** @type {number} */ value) =>
        drawing("circle", { class: `series-${index % 6} dot`, cx: this.#x(place), cy: this.#y(value), r: 3 });
      const dots = few ? one.values.flatMap((value, place) => (value === null ? [] : [dot(place, value)])) : [];
      return [drawing("path", { class: `series-${index % 6} curve`, d: path.join("") }), ...dots];
    });
  }

  #cursor() {
    const { at } = this.shown;
    if (at === undefined || this.#count() === 0) return [];
    return [drawing("line", { class: "cursor", x1: this.#x(at), x2: this.#x(at), y1: EDGE.top, y2: HEIGHT - EDGE.bottom })];
  }

  #listen() {
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      const share = (x - EDGE.left) / (WIDTH - EDGE.left - EDGE.right);
      this.#pick(Math.round(share * (this.#count() - 1)));
    });
    this.svg.addEventListener("keydown", (event) => {
      const at = this.shown.at ?? 0;
      /** @type {Record<string, number>} */
      const keys = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: this.#count() - 1 };
      const next = keys[event.key];
      if (next === undefined) return;
      event.preventDefault();
      this.#pick(next);
    });
  }

  /** @param {number} index */
  #pick(index) {
    this.options.onPick?.(Math.min(this.#count() - 1, Math.max(0, index)));
  }
}
