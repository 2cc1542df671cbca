/**
 * Small plots as SVG: bars, lines, intervals. Colours come from the style sheet, sizes from the viewBox, so that a plot fits
 * any column and either theme. Each is a figure with a caption, and says in words what it shows.
 */

import { drawing, element } from "./dom.js";

/** @typedef {{label: string, value: number, title?: string}} Bar */
/** @typedef {{name: string, points: {x: number, y: number}[]}} Series */
/** @typedef {{label: string, low: number, middle: number, high: number, title?: string}} Interval */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Frame */

const WIDTH = 360;
const HEIGHT = 170;
/** @type {Frame} */
const FRAME = { left: 40, right: WIDTH - 8, top: 10, bottom: HEIGHT - 34 };

/**
 * A number as people write it: no more digits than it needs.
 * @param {number} value
 */
export function figure(value) {
  if (!Number.isFinite(value)) return "–";
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits }).replace("-", "−");
}

/**
 * Round numbers from at most `low` to at least `high`, about `count` of them.
 * @param {number} low
 * @param {number} high
 * @param {number} [count]
 */
export function ticks(low, high, count = 4) {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.floor(low / step + 1e-9) * step;
  const found = [first];
  while (found[found.length - 1] < high - step * 1e-9) found.push(first + step * found.length);
  if (found.length === 1) found.push(first + step);
  return found;
}

/**
 * @param {string} caption
 * @param {string} words  What the plot shows, for those who do not see it.
 * @param {number} height
 * @param {(SVGElement | null)[]} parts
 */
function plot(caption, words, height, parts) {
  const picture = drawing("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": `${caption}. ${words}`, class: "plot-drawing" });
  picture.append(...parts.filter((part) => part !== null));
  return element("figure", { class: "plot" }, element("figcaption", {}, caption), picture);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {"start" | "middle" | "end"} [anchor]
 */
function text(x, y, words, anchor = "middle") {
  return drawing("text", { x, y, "text-anchor": anchor, class: "plot-text" }, words);
}

/**
 * Horizontal lines at round values, with their numbers.
 * @param {number[]} values
 * @param {(value: number) => number} place
 * @param {Frame} frame
 */
function grid(values, place, frame) {
  return values.flatMap((value) => [
    drawing("line", { x1: frame.left, x2: frame.right, y1: place(value), y2: place(value), class: "plot-grid" }),
    text(frame.left - 5, place(value) + 3.5, figure(value), "end"),
  ]);
}

/**
 * @param {number} low
 * @param {number} high
 * @param {number} from
 * @param {number} to
 */
function scale(low, high, from, to) {
  const span = high - low || 1;
  return (/** @type {number} */ value) => from + ((value - low) / span) * (to - from);
}

/**
 * Bars side by side. Labels that would run into each other are left out, evenly.
 * @param {{caption: string, across?: string, bars: Bar[], unit?: string, colour?: number}} what  The colour is that of a role.
 */
export function barPlot({ caption, across = "", bars, unit = "", colour }) {
  const values = ticks(0, Math.max(...bars.map((bar) => bar.value), 0) || 1);
  const y = scale(0, values[values.length - 1], FRAME.bottom, FRAME.top);
  const step = (FRAME.right - FRAME.left) / Math.max(bars.length, 1);
  const longest = Math.max(...bars.map((bar) => bar.label.length), 1);
  const every = Math.max(1, Math.ceil((longest * 6.5) / step));
  const drawn = bars.map((bar, index) => {
    const box = drawing("rect", {
      x: FRAME.left + step * index + step * 0.1,
      y: y(bar.value),
      width: step * 0.8,
      height: Math.max(0, FRAME.bottom - y(bar.value)),
      class: colour === undefined ? "plot-bar" : `plot-bar series-${colour % 6}`,
    });
    box.append(drawing("title", {}, bar.title ?? `${bar.label}: ${figure(bar.value)}${unit}`));
    return box;
  });
  const labels = bars.map((bar, index) => (index % every === 0 ? text(FRAME.left + step * (index + 0.5), FRAME.bottom + 14, bar.label) : null));
  const highest = bars.reduce((best, bar) => (bar.value > best.value ? bar : best), bars[0] ?? { label: "", value: 0 });
  const words = bars.length > 12
    ? `${bars.length} bars from ${bars[0].label} to ${bars[bars.length - 1].label}; the highest at ${highest.label}: ${figure(highest.value)}${unit}.`
    : bars.map((bar) => `${bar.label}: ${figure(bar.value)}${unit}`).join("; ");
  const axis = text((FRAME.left + FRAME.right) / 2, HEIGHT - 4, across);
  return plot(caption, words, HEIGHT, [...grid(values, y, FRAME), ...drawn, ...labels, axis]);
}

/**
 * Lines over a common axis; one colour and one dash a series.
 * @param {{caption: string, across?: string, series: Series[]}} what
 */
export function linePlot({ caption, across = "", series }) {
  const points = series.flatMap((line) => line.points);
  const high = Math.max(...points.map((point) => point.y), 0) || 1;
  const values = ticks(0, high);
  const last = Math.max(...points.map((point) => point.x), 1);
  const x = scale(Math.min(...points.map((point) => point.x), last), last, FRAME.left, FRAME.right - 6);
  const y = scale(0, values[values.length - 1], FRAME.bottom, FRAME.top);
  const lines = series.map((line, index) => {
    const path = line.points.map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join(" ");
    const drawn = drawing("polyline", { points: path, class: `plot-line series-${index % 6}` });
    drawn.append(drawing("title", {}, line.name));
    return drawn;
  });
  const numbers = ticks(points[0]?.x ?? 0, last).filter((value) => value <= last && value >= (points[0]?.x ?? 0));
  const below = numbers.map((value) => text(x(value), FRAME.bottom + 14, figure(value)));
  const words = series.map((line) => {
    const end = line.points[line.points.length - 1];
    return line.points.length === 0 ? `${line.name}: nothing` : `${line.name} goes from ${figure(line.points[0].y)} to ${figure(end.y)}`;
  });
  const axis = text((FRAME.left + FRAME.right) / 2, HEIGHT - 4, across);
  return plot(caption, `${words.join("; ")}.`, HEIGHT, [...grid(values, y, FRAME), ...lines, ...below, axis]);
}

/**
 * A point and an interval in each row, as ratings have them.
 * @param {{caption: string, across?: string, rows: Interval[]}} what
 */
export function intervalPlot({ caption, across = "", rows }) {
  const longest = Math.max(...rows.map((row) => row.label.length), 4);
  const left = Math.min(WIDTH * 0.45, longest * 6.6 + 12);
  const height = rows.length * 24 + 44;
  const ends = rows.flatMap((row) => [row.low, row.high, row.middle]).filter((value) => Number.isFinite(value));
  const values = ends.length > 0 ? ticks(Math.min(...ends), Math.max(...ends)) : [0, 1];
  const x = scale(values[0], values[values.length - 1], left, WIDTH - 14);
  const lines = values.flatMap((value) => [
    drawing("line", { x1: x(value), x2: x(value), y1: 6, y2: height - 34, class: "plot-grid" }),
    text(x(value), height - 20, figure(value)),
  ]);
  const drawn = rows.flatMap((row, index) => {
    const y = 18 + index * 24;
    const words = row.title ?? `${row.label}: ${figure(row.middle)} (${figure(row.low)} to ${figure(row.high)})`;
    const group = drawing("g", {});
    group.append(
      drawing("title", {}, words),
      drawing("line", { x1: x(row.low), x2: x(row.high), y1: y, y2: y, class: "plot-interval" }),
      drawing("circle", { cx: x(row.middle), cy: y, r: 4.5, class: "plot-point" }),
    );
    return [text(left - 8, y + 4, row.label.length > 24 ? `${row.label.slice(0, 23)}…` : row.label, "end"), group];
  });
  const words = rows.map((row) => `${row.label}: ${figure(row.middle)}, between ${figure(row.low)} and ${figure(row.high)}`).join("; ");
  return plot(caption, words, height, [...lines, ...drawn, text((left + WIDTH) / 2, height - 3, across)]);
}
