// Remembers the console's last lines, for the report of a problem. The page has the lines of the
// engine's worker, too. The cost: the browser's own console names this file as the origin of
// each line.

/** So many lines are kept, and so much of each. */
const most = 120, longest = 400;

/** @type {string[]} */
const lines = [];

/** Takes each line. @type {(line: string) => void} */
let take = (line) => {
  lines.push(line.slice(0, longest));
  if (lines.length > most) lines.shift();
};

/** The last lines. */
export const told = () => [...lines];

/** Notes a line that another thread has told. @param {string} line */
export const note = (line) => take(line);

/** Has f take each line in the place of this list. @param {(line: string) => void} f */
export const pass = (f) => { take = f; };

/** @param {string} level @param {unknown[]} words */
const line = (level, words) => take(`${(performance.now() / 1000).toFixed(3)} ${level}: ${words.map(String).join(' ')}`);

for (const level of /** @type {const} */ (['error', 'warn', 'info', 'log', 'debug'])) {
  const tell = console[level];
  console[level] = (...words) => {
    line(level, words);
    tell.apply(console, words);
  };
}
addEventListener('error', (e) => line('uncaught', [e.message, e.filename, e.lineno]));
addEventListener('unhandledrejection', (e) => line('unhandled', [e.reason]));
