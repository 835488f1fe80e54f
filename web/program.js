// Fetches, compiles and runs the WebAssembly programs: on the page, in the engine's worker and in
// the converting worker alike.
import './wasm_exec.js';
import {fault, folder, reason} from './page/site.js';

// What follows a promise runs in the task that fulfilled it. Compiling, instantiating and starting a
// program take 20 to 50 ms each, and a page that is busy for longer than that doesn't answer.
const anotherTask = () => new Promise((resolve) => { setTimeout(resolve); });

/**
 * Fetches a program of this version and compiles it.
 * @param {string} name
 */
export const compile = async (name) => {
  const response = await fetch(new URL(name, folder));
  if (response.status === 404) {
    throw fault('fileGone', {name}, `${name} is no longer on the server. Reload the page to get its newest version.`);
  }
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  // Some plain static servers don't know the type that streaming asks for.
  const streams = (response.headers.get('Content-Type') || '').startsWith('application/wasm');
  const module = await (streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()));
  await anotherTask();
  return module;
};

// While these run, the browser may send an event into Go: a focus that Go has asked for, say, or a
// function of Go that an iterator calls. The other imports only compute, copy and set timers.
const outward = ['valueGet', 'valueSet', 'valueCall', 'valueInvoke', 'valueNew'];

/** How long a page may still take events after the browser has begun to leave it, in ms. */
const leaving = 500;

/** How much more memory the browser gives to a program that is not short of it, in pages of 64 kB. */
const room = 2048;

/**
 * Why a program has ended with an exit code. Go ends when the browser gives it no more memory, and
 * doesn't say so: whether there is more is tried here. The error has the bytes that there were.
 * @param {number} code
 * @param {WebAssembly.Memory} memory
 */
const exited = (code, memory) => {
  const bytes = memory.buffer.byteLength;
  try {
    memory.grow(room);
  } catch {
    return Object.assign(new Error(`the browser gives no more memory than ${bytes} bytes`), {memory: bytes});
  }
  return new Error(`exit code ${code}`);
};

/**
 * Keeps events out of a program that has ended. A browser can stop a script in the middle of its
 * work without a word, as Firefox does when its page is being left: neither catch nor finally runs.
 * Go is then in the middle of a function, and an event that came in would run on a broken stack. So
 * an event that finds Go neither at rest nor in an outward call ends the program.
 *
 * A stop in the middle of an outward call can't be told from an event in it, and does less harm: Go
 * takes every event from then on as one in that call.
 * @param {Go} go a program that was not started yet
 */
const guard = (go) => {
  let inside = false, over = false;
  const {promise: ended, resolve, reject} = Promise.withResolvers();
  /** @param {unknown} error */
  const tell = (error) => {
    console.error(`the program of the ${informerscope.role} ended: ${reason(error)}`);
    reject(error);
  };
  /** @param {unknown} [error] nothing where the program has ended as it should */
  const end = (error) => {
    if (over) return;
    over = true;
    if (error) tell(error);
    else resolve(undefined);
  };
  // Nobody needs to hear of it on a page that is being left, and there the timer never ends.
  const cut = () => {
    if (over) return;
    over = true;
    setTimeout(tell, leaving, new Error('the browser stopped it in the middle of its work'));
  };
  /** Runs Go until it waits for an event. @param {() => void} go_on */
  const enter = (go_on) => {
    if (inside) cut();
    if (over) return;
    inside = true;
    try {
      go_on();
    } catch (error) {
      end(error);
    }
    inside = false;
  };

  const calls = go.importObject.gojs;
  for (const name of outward) {
    const call = calls[`syscall/js.${name}`];
    calls[`syscall/js.${name}`] = (/** @type {number} */ sp) => {
      inside = false;
      call(sp);
      if (over) throw new Error('the program has ended'); // in an event during the call
      inside = true;
    };
  }
  const resume = go._resume;
  go._resume = () => {
    enter(() => resume.call(go));
    if (over) go._scheduledTimeouts.clear(); // or Go's glue resumes it until it is gone
  };
  return {enter, end, ended};
};

/**
 * Runs a program of this role. The promise is kept when the program ends, and broken when that was
 * not the program's own decision.
 * @param {WebAssembly.Module} module
 */
export const run = async (module) => {
  const go = new Go();
  const {enter, end, ended} = guard(go);
  const instance = await WebAssembly.instantiate(module, go.importObject);
  const memory = /** @type {WebAssembly.Memory} */ (instance.exports.mem);
  go.exit = (code) => end(code ? exited(code, memory) : undefined);
  await anotherTask();
  enter(() => { go.run(instance).catch(end); });
  await ended;
};
