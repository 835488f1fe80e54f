// Plays the program to web/worker/parts.js, for open_test.go. Answers take their time and come in any order, captures
// end early or with a fault, and who reads holds the reading and stops it at random.
const [seed, rounds] = process.argv.slice(2).map(Number);
const part = 1 << 22;

let state = seed >>> 0;
/** A number from 0 up to, but not including, n. @param {number} n */
const random = (n) => {
  state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 >>> 0;
  return Math.floor(((state ^ state >>> 13) >>> 0) / 2 ** 32 * n);
};
const pause = () => new Promise((resolve) => { setTimeout(resolve, random(4)); });

/** What the program has: how many bytes, what is wrong behind them, and how it answers. */
const program = {size: 0, why: '', parts: true, gone: false, of: 0};
let asked = 0, most = 0;
const wrong = (/** @type {string} */ what) => { throw new Error(`${what}, with seed ${seed}`); };

/** @param {string} address */
const answered = (address) => {
  const {pathname, searchParams: q} = new URL(address);
  const [from, to, of] = ['from', 'to', 'of'].map((name) => Number(q.get(name)));
  if (of !== (from || asked > 1 ? program.of : 0) && of !== program.of) wrong(`the state ${of} is asked for, not ${program.of}`);
  if (from >= to || to - from > part) wrong(`${from} to ${to} are asked for`);
  if (pathname.includes('/digest/') && to % part) wrong(`a digest ends at ${to}`);
  const a = Math.min(from, program.size), b = Math.min(to, program.size), behind = to > program.size;
  const says = {of: program.of, to: Math.max(b, from), size: program.size, ended: behind && !program.why, why: behind ? program.why : '', ...program.why && behind && {fault: {id: 'made', args: []}}};
  return {says: encodeURIComponent(JSON.stringify(says)), bytes: new Uint8Array(new Float64Array(b > a ? [a, b] : []).buffer)};
};
/** @param {string} address @param {{signal: AbortSignal}} how */
globalThis.fetch = /** @type {any} */ (async (/** @type {string} */ address, {signal}) => {
  asked++;
  most = Math.max(most, asked);
  await pause();
  asked--;
  if (signal.aborted || program.gone) throw new Error('no');
  if (!program.parts) return {status: 204, ok: true};
  const {says, bytes} = answered(address);
  return {status: 200, ok: true, arrayBuffer: async () => bytes.buffer, headers: {get: () => says}};
});
globalThis.addEventListener = () => { /* no worker is started */ };
const {placeAt, readParts, piecesAt} = await import('./worker/parts.js');
const {site} = await import('./page/site.js');

const at = (/** @type {string} */ path) => placeAt(new URL(path, site).href);
if (at('opened/live/a.json') || at('opened/') || at('a.json')) wrong('what the program has not opened, or still writes, has a place');

const count = {digests: 0, parts: 0, ended: 0, failed: 0, gone: 0, stopped: 0, none: 0};
// Which of these come about also depends on the machine. So it goes on until each has.
for (let round = 0; round < rounds || Object.values(count).includes(0) && round < 50 * rounds; round++) {
  const place = at('opened/a.json'), stops = random(5) === 0, leaves = random(6) === 0;
  Object.assign(program, {size: 1 + random(40 * part), why: random(3) ? '' : 'it is cut', parts: random(8) > 0, gone: false, of: 1 + random(9)});
  let next = 0, held = false, over = false, spread = false;
  most = 0;
  await new Promise((resolve) => {
    /** @param {(n: typeof count) => void} tell */
    const finish = (tell) => {
      if (over) wrong('it ends twice');
      over = true;
      tell(count);
      setTimeout(resolve, 12);
    };
    let stopped = false;
    const reading = readParts(place, (bytes, read, digest) => {
      if (over || held || stopped) wrong('it goes on');
      const [from, to] = new Float64Array(bytes.slice().buffer);
      if (from !== next || to !== read || digest && !spread) wrong(`${from} to ${to} come at ${next}`);
      next = to;
      if (digest) count.digests++;
      else count.parts++;
      if (!spread && next > 2 * part) {
        spread = true;
        reading.spread();
      }
      if (random(5) === 0) {
        held = true;
        reading.hold(true);
        setTimeout(() => {
          held = false;
          reading.hold(false);
        }, random(6));
      }
      if (stops && random(10) === 0) {
        stopped = true;
        reading.cancel();
      }
      if (leaves && random(10) === 0) program.gone = true;
    }, (why, words) => {
      if (stopped) finish((n) => { n.stopped++; });
      else if (words?.includes('openEnded')) finish((n) => { n.gone++; });
      else if (next !== program.size || why !== program.why || !!words !== !!why) wrong(`it ends at ${next} of ${program.size}: ${why}, ${words}`);
      else finish((n) => { if (why) n.failed++; else n.ended++; });
    }, undefined, () => {
      if (program.parts) wrong('there are parts');
      finish((n) => { n.none++; });
    });
  });
  if (most > 4) wrong(`${most} parts are asked for at once`);
  if (!program.parts || program.gone) continue;
  const pieces = piecesAt(place), stopAfter = random(4) ? 1 / 0 : random(9) * part;
  next = 0;
  try {
    for (let piece; (piece = await pieces.read());) {
      const [from, to] = new Float64Array(piece.slice().buffer);
      if (from !== next) wrong(`piece ${from} comes at ${next}`);
      next = to;
      if (next > stopAfter) break;
    }
    if (next <= stopAfter && (next !== program.size || program.why)) wrong(`the pieces end at ${next} of ${program.size}, ${program.why}`);
  } catch (error) {
    if (/** @type {Error} */ (error).message !== program.why || next !== program.size) throw error;
  }
  pieces.cancel();
}
console.log(Object.entries(count).map(([what, n]) => `${n} ${what}`).join(', '));
process.exit(0); // a channel of later.js is still open
