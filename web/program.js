// Fetches, compiles and runs the WebAssembly programs: on the page, in the engine's worker and in
// the converting worker alike.
import './wasm_exec.js';
import {folder} from './site.js';

// What follows a promise runs in the task that fulfilled it. Compiling, instantiating and starting a
// program take 20 to 50 ms each, and a page that is busy for longer than that doesn't answer.
const anotherTask = () => new Promise((resolve) => { setTimeout(resolve); });

/**
 * Fetches a program of this version and compiles it.
 * @param {string} name
 */
export const compile = async (name) => {
  const response = await fetch(new URL(name, folder));
  if (response.status === 404) throw new Error(`${name} is no longer on the server. Reload the page to get its newest version.`);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  // Some plain static servers don't know the type that streaming asks for.
  const streams = (response.headers.get('Content-Type') || '').startsWith('application/wasm');
  const module = await (streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()));
  await anotherTask();
  return module;
};

/**
 * Runs a program. The promise settles when the program ends.
 * @param {WebAssembly.Module} module
 */
export const run = async (module) => {
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  await anotherTask();
  await go.run(instance);
};
