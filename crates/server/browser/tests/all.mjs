/**
 * All tests of this folder in one process, so that they share one program and one browser; `1/2` and `2/2` are every second file
 * from the first and from the second on.
 */
import { readdirSync } from "node:fs";

const [place = 1, step = 1] = (process.argv[2] ?? "1/1").split("/").map(Number);
const names = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.mjs")).sort();
const own = names.filter((_, index) => index % step === place - 1);
if (own.length === 0) throw new Error(`there are no tests for ${process.argv[2]}`);
for (const name of own) await import(`./${name}`);
