// Plays the page and the workers to web/worker/spread.js, for workers_test.go. Workers take their time, some fail, and
// who asks holds them and stops them at random.
const [seed, rounds] = process.argv.slice(2).map(Number);
const part = 1 << 22, ahead = 2;

let state = seed >>> 0;
/** A number from 0 up to, but not including, n. @param {number} n */
const random = (n) => {
  state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 >>> 0;
  return Math.floor(((state ^ state >>> 13) >>> 0) / 2 ** 32 * n);
};
const pause = () => new Promise((resolve) => { setTimeout(resolve, random(4)); });

/** Who hears of workers that are broken. @type {((e: any) => void)[]} */
const heard = [];
/** The way to each worker that was started, and how many parts it was given and has not read. */
const workers = new Map();
let failing = 0, most = 0;
Object.assign(globalThis, {
  addEventListener: (/** @type {string} */ _, /** @type {(e: any) => void} */ f) => { heard.push(f); },
  postMessage: ({start, id, port, end}) => {
    if (end) {
      workers.get(end)?.close();
      workers.delete(end);
      return;
    }
    if (start !== 'digest') throw new Error(`a ${start} is started`);
    workers.set(id, port);
    const breaks = random(100) < failing;
    if (breaks && random(2)) {
      setTimeout(() => { for (const f of heard) f({data: {broken: id, why: 'it does not start'}}); }, random(4));
      return;
    }
    let given = 0, busy = Promise.resolve();
    port.onmessage = ({data: {module, blob, from, to}}) => {
      if (blob) {
        if (module !== 'the program') throw new Error('a worker gets no program');
        setTimeout(() => port.postMessage({ready: true}), random(6));
        return;
      }
      given++;
      most = Math.max(most, given);
      busy = busy.then(async () => {
        await pause();
        given--;
        if (breaks && random(3) === 0) {
          port.postMessage({why: 'it fails'});
          return;
        }
        const piece = new Uint8Array(to - from), bytes = new Uint8Array(new Float64Array([from, to]).buffer);
        piece[0] = from & 255;
        port.postMessage({from, piece, bytes}, [piece.buffer, bytes.buffer]);
      });
    };
  },
});
let cores = 0;
Object.defineProperty(globalThis, 'navigator', {value: {get hardwareConcurrency() { return cores; }}, configurable: true});
const {spread, workers: count} = await import('./worker/spread.js');

let took = 0, ended = 0, failed = 0, stopped = 0;
for (let round = 0; round < rounds || !(ended && failed && stopped) && round < 50 * rounds; round++) { // until each has come about
  const wrong = (/** @type {string} */ what) => { throw new Error(`${what} in round ${round} of seed ${seed}`); };
  cores = 2 + random(12);
  failing = random(3) ? 0 : 40;
  most = 0;
  const size = 1 + random(60 * part), first = random(size + 1);
  let at = -1, held = false, over = false, begun = 0;
  await new Promise((resolve) => {
    const finish = () => {
      if (over) wrong('it ends twice');
      over = true;
      setTimeout(resolve, 10);
    };
    const reading = spread(/** @type {any} */ ('the program'), /** @type {any} */ ({size}), {
      begin: () => {
        begun++;
        at = first;
        return at;
      },
      take: (bytes, read) => {
        if (over || held) wrong('it goes on');
        const [from, to] = new Float64Array(bytes.slice().buffer);
        if (from !== at || to !== read || to > size) wrong(`a digest of ${from} to ${to} comes at ${at}`);
        if (reading.slice(from, to)?.[0] !== (from & 255) || reading.slice(from, to + 1) || reading.slice(from - 1, to)) wrong('there are other bytes than the part has');
        at = to;
        took++;
        if (random(9) === 0) {
          held = true;
          reading.hold(true);
          setTimeout(() => {
            held = false;
            reading.hold(false);
            reading.turn();
          }, random(5));
        }
        if (random(300) === 0) {
          reading.stop();
          stopped++;
          finish();
        }
      },
      end: () => {
        if (at !== size) wrong(`it ends at ${at} of ${size}`);
        ended++;
        finish();
      },
      fail: (where, why) => {
        if (where !== at || !why) wrong(`it fails at ${where} and not at ${at}: ${why}`);
        failed++;
        finish();
      },
    });
    if (workers.size !== Math.min(3, cores - 1) || workers.size !== count()) wrong(`of ${cores} cores, ${workers.size} are used`);
  });
  if (begun > 1) wrong('it begins twice');
  if (most > ahead) wrong(`a worker has ${most} parts`);
  if (workers.size) wrong(`${workers.size} workers are left`);
}
console.log(`${took} digests; ${ended} readings ended, ${failed} failed, ${stopped} were stopped`);
