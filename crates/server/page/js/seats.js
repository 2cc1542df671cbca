/**
 * Who plays a role: a person at this screen or a player of the catalogue, with its settings.
 *
 *     const picker = seatPicker("red", await players(), "human", { human: true });
 *     root.append(picker.element);  picker.value()   // "human", "paidia", "uct(c=0.7)"
 *
 * `seatName("human")` is what people read; `timePicker(1)` chooses the seconds a move.
 */
import { choice, element, field } from "./dom.js";

/** @typedef {import("./types.js").Player} Player */
/** @typedef {{element: HTMLElement, value: () => string, set: (seat: string) => void}} SeatPicker */

/** @param {string | null} seat */
export function seatName(seat) {
  return seat === null ? "chance" : seat === "human" ? "person" : seat;
}

/**
 * @param {string} label
 * @param {Player[]} catalogue
 * @param {string} value
 * @param {{human?: boolean}} [options]
 * @returns {SeatPicker}
 */
export function seatPicker(label, catalogue, value, { human = false } = {}) {
  const settings = element("details", { class: "settings" });
  /** @type {[string, HTMLInputElement][]} */
  let keys = [];
  const fill = (/** @type {Map<string, string>} */ given) => {
    const player = catalogue.find((one) => one.name === select.value);
    keys = (player?.keys ?? []).map(({ name, default: usual, wanted }) =>
      [name, element("input", { value: given.get(name) ?? "", placeholder: usual ?? wanted ?? "", spellcheck: false })]);
    settings.hidden = keys.length === 0;
    settings.replaceChildren(element("summary", {}, `Settings of ${select.value}`), element("p", { class: "hint" }, player?.about ?? ""),
      ...keys.map(([name, input], index) => field(name, input, player?.keys[index]?.about)));
  };
  const names = catalogue.map((one) => one.name);
  const options = /** @type {[string, string][]} */ ([...(human ? [["human", "A person here"]] : []), ...names.map((name) => [name, name])]);
  const select = choice(options, value, () => fill(new Map()));
  const set = (/** @type {string} */ seat) => {
    const { name, given } = takeApart(seat);
    if (name !== "human" && !names.includes(name)) select.append(element("option", { value: name }, name));
    select.value = name;
    fill(given);
  };
  set(value);
  return {
    element: element("div", { class: "seat" }, field(label, select), settings),
    value: () => {
      const set = keys.flatMap(([name, input]) => (input.value.trim() === "" ? [] : [`${name}=${input.value.trim()}`]));
      return set.length > 0 ? `${select.value}(${set.join(",")})` : select.value;
    },
    set,
  };
}

/** @param {string} seat */
function takeApart(seat) {
  const found = /^([^(]+)\((.*)\)$/s.exec(seat);
  const pairs = (found?.[2] ?? "").split(",").flatMap((part) => {
    const [name, ...rest] = part.split("=");
    return name && rest.length > 0 ? [/** @type {[string, string]} */ ([name.trim(), rest.join("=").trim()])] : [];
  });
  return { name: found?.[1]?.trim() ?? seat, given: new Map(pairs) };
}

const TIMES = ["0.1", "0.2", "0.5", "1", "2", "5", "10"];

/** @param {number} seconds */
export function timePicker(seconds) {
  const value = String(seconds);
  const times = TIMES.includes(value) ? TIMES : [...TIMES, value];
  return choice(times.map((time) => [time, time === "1" ? "1 second" : `${time} seconds`]), value);
}
