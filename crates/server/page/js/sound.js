/**
 * Short sounds for what happens at a table, made here, so that nothing is fetched: `play("move")`, `play("take")`,
 * `play("turn")`, `play("end")`. They can be switched off, and the browser remembers it; `soundButton()` does that.
 */
import { button } from "./dom.js";

const KEY = "paidia-sound";
/** Each sound as notes: pitch in hertz, when it begins and how long it lasts, in seconds. @type {Record<string, [number, number, number][]>} */
const SOUNDS = {
  move: [[330, 0, 0.07]],
  take: [[247, 0, 0.06], [196, 0.05, 0.08]],
  turn: [[392, 0, 0.07], [523, 0.08, 0.09]],
  end: [[392, 0, 0.12], [494, 0.12, 0.12], [587, 0.24, 0.25]],
};
const LOUD = 0.07;

/** @type {AudioContext | null} */
let context = null;

export function soundIsOn() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return false;
  }
}

/** @param {"move" | "take" | "turn" | "end"} name */
export function play(name) {
  // Browsers allow sounds only after something was clicked.
  if (!soundIsOn() || !navigator.userActivation?.hasBeenActive || document.hidden) return;
  try {
    context ??= new AudioContext();
    const start = context.currentTime;
    for (const [pitch, after, lasts] of SOUNDS[name] ?? []) note(context, pitch, start + after, lasts);
    document.documentElement.dataset["sound"] = name;
  } catch {
    // A machine without sound is none the worse for it.
  }
}

/**
 * @param {AudioContext} audio
 * @param {number} pitch
 * @param {number} start
 * @param {number} lasts
 */
function note(audio, pitch, start, lasts) {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUD, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + lasts);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + lasts);
}

/** A button that switches sounds on and off. */
export function soundButton() {
  const label = () => (soundIsOn() ? "Sound: on" : "Sound: off");
  const control = button(label(), () => {
    localStorage.setItem(KEY, soundIsOn() ? "off" : "on");
    control.textContent = label();
    play("move");
  }, { class: "button quiet sound" });
  return control;
}
