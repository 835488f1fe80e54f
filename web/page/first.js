// Runs before anything is painted. The build has put the first view of the page into the document, so that it is seen
// before the program runs (web/build/first). Where this visit begins with another view, it is taken out of sight here.
// The attribute data-first of the root element stands for the view, until the program draws its own in its place.
//
// This is no module, because a browser paints before it runs one.
{
  const root = document.documentElement;
  const others = root.dataset.first?.split(' ') ?? [];

  /** What a visit has kept that makes the first view another one. The theme is a matter of styles. */
  const settings = ['density', 'keys', 'kinds', 'lang', 'last', 'lessons', 'score', 'speed', 'view', 'whole'];

  /** Whether this visit begins as a first one does. */
  const begins = () => {
    try {
      const theme = localStorage.getItem('theme');
      if (theme) root.dataset.theme = theme;
      const [visit] = performance.getEntriesByType('navigation');
      const again = ['reload', 'back_forward'].includes(/** @type {PerformanceNavigationTiming | undefined} */ (visit)?.type ?? '');
      if (again && JSON.parse(sessionStorage.getItem('stay') ?? '{}').text || sessionStorage.getItem('ended')) return false; // stay.js
      if (settings.some((name) => localStorage.getItem(name))) return false;
    } catch { /* the browser may forbid storage */ }
    return !location.hash && window.top === window && !others.includes(navigator.language.split('-')[0].toLowerCase());
  };

  // The program asks for its words when it runs. They are here by then, and the network is waited for once.
  const words = () => {
    let lang = navigator.language;
    try { lang = localStorage.getItem('lang') || lang; } catch { /* the browser may forbid storage */ }
    lang = (/[#&]lang=([a-z]+)/.exec(location.hash)?.[1] ?? lang).split('-')[0].toLowerCase();
    const url = new URL(`../locales/${others.includes(lang) ? lang : 'en'}.json`, /** @type {HTMLScriptElement} */ (document.currentScript).src);
    return Object.assign(document.createElement('link'), {rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: url.href});
  };
  if ('first' in root.dataset) document.head.append(words());

  if (!begins()) {
    for (const name of Object.keys(root.dataset)) if (name !== 'theme') delete root.dataset[name];
  }

  // What is pressed before the program can hear of it is held, and pressed again when it can.
  /** @type {(() => void)[]} */
  const held = [];

  /** @param {Event} event @param {() => void} again */
  const hold = (event, again) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    held.push(again);
  };

  /** @param {MouseEvent} event */
  const clicked = (event) => {
    const {target} = event;
    const control = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest('#app [data-act]')) : null;
    if (!control) return;
    const {act, arg} = control.dataset;
    hold(event, () => {
      const same = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('#app [data-act]')]);
      same.find((e) => e.dataset.act === act && e.dataset.arg === arg)?.click();
    });
  };

  /** Keys that move the machine or are commands. A focused button makes a click of Space and Enter. @param {KeyboardEvent} event */
  const pressed = (event) => {
    const {key, code, shiftKey, ctrlKey, altKey, metaKey, target} = event;
    const ofButton = key === ' ' && target instanceof Element && target.closest('button, a, summary, select');
    if (ctrlKey || altKey || metaKey || ofButton || key.length > 1 && !/^(Arrow|Home|End|Page)/.test(key)) return;
    hold(event, () => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, code, shiftKey, bubbles: true, cancelable: true})));
  };

  if ('first' in root.dataset) {
    addEventListener('click', clicked, true);
    addEventListener('keydown', pressed, true);
    const taken = new MutationObserver(() => {
      taken.disconnect();
      removeEventListener('click', clicked, true);
      removeEventListener('keydown', pressed, true);
      for (const again of held) again();
    });
    taken.observe(root, {attributeFilter: ['data-first']});
  }
}
