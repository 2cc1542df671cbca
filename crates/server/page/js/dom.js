/**
 * Small helpers to make elements. Texts always become text nodes, never markup.
 *
 * - `element(tag, properties, ...children)`, `drawing(tag, attributes, ...children)` for SVG
 * - `replace(parent, ...children)`
 * - `button(label, onClick, properties)`, `field(label, control, hint)`, `choice(options, value, onChange)`
 * - `icon("back")` is a small drawing for a button
 * - `announce(text)` to the page's live region; `notice(text, kind)` as a small message that goes away
 * - `busy(button, task)` disables a button while a task runs and shows its error kindly
 * - `plural(3, "move")`, `number(1234.5)`, `compact(98000)`, `percent(0.4)`
 * - `readable("(mark 1 1)")` is a term of the rules for people: "mark 1 1"
 */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Properties */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. A property `class` is the class, `data`, `style` are objects, `on*` functions are listeners,
 * names with a dash and `role` are attributes, all others are set on the element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Properties} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) setProperty(made, name, value);
  append(made, children);
  return made;
}

/**
 * @param {HTMLElement} made
 * @param {string} name
 * @param {unknown} value
 */
function setProperty(made, name, value) {
  if (value === undefined || value === null) return;
  if (name === "class") made.className = String(value);
  else if (name === "data") Object.assign(made.dataset, value);
  else if (name === "style") Object.assign(made.style, value);
  else if (name.startsWith("on") && typeof value === "function") {
    made.addEventListener(name.slice(2).toLowerCase(), /** @type {EventListener} */ (value));
  } else if (name.includes("-") || name === "role" || name === "for" || name === "list") {
    made.setAttribute(name, String(value));
  } else Object.assign(made, { [name]: value });
}

/**
 * An SVG element; everything but `on*` functions becomes an attribute.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Properties} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function drawing(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") {
      made.addEventListener(name.slice(2).toLowerCase(), /** @type {EventListener} */ (value));
    } else made.setAttribute(name, String(value));
  }
  append(made, children);
  return made;
}

/**
 * @param {Element} parent
 * @param {Child[]} children
 */
function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Puts other children in the place of those there.
 * @param {Element} parent
 * @param {...Child} children
 */
export function replace(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/**
 * @param {string} label
 * @param {(event: MouseEvent) => void} onClick
 * @param {Properties} [properties]
 */
export function button(label, onClick, properties = {}) {
  return element("button", { type: "button", class: "button", onclick: onClick, ...properties }, label);
}

let fields = 0;

/**
 * A control with its label above and a hint below.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
  fields += 1;
  control.id ||= `field-${fields}`;
  const below = hint ? element("small", { id: `${control.id}-hint`, class: "hint" }, hint) : null;
  if (below) control.setAttribute("aria-describedby", below.id);
  return element("div", { class: "field" }, element("label", { for: control.id }, label), control, below);
}

/**
 * A select; options are values, or values with labels.
 * @param {(string | [string, string])[]} options
 * @param {string} value
 * @param {(value: string) => void} [onChange]
 */
export function choice(options, value, onChange) {
  const select = element("select", {});
  for (const option of options) {
    const [name, label] = Array.isArray(option) ? option : [option, option];
    select.append(element("option", { value: name, selected: name === value }, label));
  }
  if (onChange) select.addEventListener("change", () => onChange(select.value));
  return select;
}

/**
 * Says something to those who listen to the page instead of looking at it.
 * @param {string} text
 */
export function announce(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/**
 * A small message that goes away by itself; an error stays longer.
 * @param {string} text
 * @param {"note" | "error"} [kind]
 * @param {[string, () => void]} [action] What can be done about it, as a button.
 */
export function notice(text, kind = "note", action) {
  const place = document.getElementById("notices");
  if (!place) return;
  // The same once more is no news.
  for (const shown of place.children) if (shown.querySelector("p")?.textContent === text) shown.remove();
  const box = element("div", { class: `notice ${kind}`, role: kind === "error" ? "alert" : "status" }, element("p", {}, text));
  if (action) box.append(button(action[0], () => {
    box.remove();
    action[1]();
  }, { class: "button quiet" }));
  box.append(button("×", () => box.remove(), { class: "plain", "aria-label": "Dismiss" }));
  place.append(box);
  setTimeout(() => box.remove(), kind === "error" || action ? 12000 : 5000);
}

/**
 * Runs a task with its button disabled; what goes wrong becomes a notice.
 * @param {HTMLButtonElement} control
 * @param {() => Promise<unknown>} task
 */
export async function busy(control, task) {
  control.disabled = true;
  control.classList.add("busy");
  try {
    await task();
  } catch (problem) {
    if (!aborted(problem)) notice(message(problem), "error");
  } finally {
    control.disabled = false;
    control.classList.remove("busy");
  }
}

/** @param {unknown} problem */
export function aborted(problem) {
  return problem instanceof DOMException && problem.name === "AbortError";
}

/** @param {unknown} problem */
export function message(problem) {
  return problem instanceof Error ? problem.message : String(problem);
}

/**
 * @param {number} count
 * @param {string} noun
 * @param {string} [many]
 */
export function plural(count, noun, many = `${noun}s`) {
  return `${number(count)} ${count === 1 ? noun : many}`;
}

/**
 * A figure with at most so many digits after the point.
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 0) {
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

/** @param {number} value */
export function compact(value) {
  return value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });
}

/** @param {number} share */
export function percent(share) {
  return `${number(100 * share, 0)} %`;
}

/**
 * A term of the rules for people: without the outer parentheses, with blanks for underscores.
 * @param {string} term
 */
export function readable(term) {
  const inner = term.startsWith("(") && term.endsWith(")") ? term.slice(1, -1) : term;
  return inner.replaceAll("_", " ").trim();
}

/** Small drawings for buttons: path data in a square of 24. @type {Record<string, string>} */
const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M17 5l-10 7 10 7z",
  forward: "M7 5l10 7-10 7z",
  newest: "M18 5v14M5 5l9 7-9 7z",
};

/**
 * @param {string} name
 */
export function icon(name) {
  return drawing("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, drawing("path", { d: ICONS[name] ?? "" }));
}

/** Whether the visitor wants no movement. */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * A line of text in which what stands between backquotes is code.
 * @param {string} text
 */
export function inline(text) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}
