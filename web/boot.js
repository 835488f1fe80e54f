// Fetches and compiles the program once, and runs it twice: here, and in a
// worker that gets the compiled module.
'use strict';

(() => {
  const say = (text) => { const e = document.getElementById('boot-says'); if (e) e.textContent = text; };
  const chinese = () => document.documentElement.lang.startsWith('zh');
  let saved = {};
  try { saved = {theme: localStorage.getItem('theme'), lang: localStorage.getItem('lang')}; } catch { /* storage may be forbidden */ }
  if (saved.theme) document.documentElement.dataset.theme = saved.theme;
  document.documentElement.lang = saved.lang || (navigator.language.startsWith('zh') ? 'zh' : 'en');

  const failed = (error) => {
    document.documentElement.dataset.broken = 'true';
    say((chinese() ? '程序无法启动。请用较新的浏览器打开,或检查服务器是否以 application/wasm 提供 .wasm 文件。' : 'The program could not be started. Use a current browser, and check that the server is reachable.') + ' (' + (error?.message || error) + ')');
  };

  const compile = async () => {
    const response = await fetch('informerscope.wasm?v=%VERSION%');
    if (!response.ok) throw new Error(`informerscope.wasm: ${response.status}`);
    // Some plain static servers don't know the type that streaming asks for.
    if ((response.headers.get('Content-Type') || '').startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  };

  const module = compile();

  // keep lets the viewer have a file.
  const keep = ({file, name}) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  // start makes a worker and returns how to speak with it.
  informerscope.start = (receive, died) => {
    const {port1, port2} = new MessageChannel();
    const worker = new Worker('worker.js?v=%VERSION%');
    let over = false;
    const end = (why) => { if (!over) { over = true; worker.terminate(); died(why); } };
    worker.onerror = (e) => { e.preventDefault(); end(e.message || 'error'); };
    port1.onmessage = ({data}) => {
      if (over) return;
      if (data.died) end(data.died); else if (data.file) keep(data); else receive(data);
    };
    module.then((m) => worker.postMessage({module: m, port: port2}, [port2]));
    return {
      send: (bytes, files) => port1.postMessage({bytes, files}, [bytes.buffer]),
      stop: () => { over = true; worker.terminate(); },
    };
  };

  informerscope.files = null; // chosen, dropped or pasted last, for the next request that opens
  informerscope.version = '%VERSION%'.startsWith('%') ? '' : '?v=%VERSION%';

  addEventListener('DOMContentLoaded', async () => {
    try {
      const go = new Go();
      const instance = await WebAssembly.instantiate(await module, go.importObject);
      go.run(instance).then(() => failed('the program ended'), failed);
    } catch (error) {
      failed(error);
    }
  });

  if ('serviceWorker' in navigator && (location.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname))) {
    navigator.serviceWorker.register('sw.js').catch(() => { /* the page works without */ });
  }
})();
