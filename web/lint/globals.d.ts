// What the scripts of web/ know of each other and of the browser beyond the standard library of
// TypeScript.

/** Of wasm_exec.js, which comes with Go. */
declare class Go {
  importObject: {gojs: Record<string, (sp: number) => void>} & WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
  exit: (code: number) => void;
  _resume: () => void;
  _scheduledTimeouts: Map<number, number>;
}

/** The one global of the project, which differs by its role. Only Go reads it (wasm/dom). */
declare var informerscope: {role: 'page' | 'engine' | 'digest' | 'convert', [name: string]: unknown};

/** Trusted Types, where the browser has them. The type of an address is the one that functions take. */
declare var trustedTypes: undefined | {
  createPolicy(name: string, rules: {createScriptURL(name: string): string}): {createScriptURL(name: string): string};
};
