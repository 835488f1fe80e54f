// Lets things be seen to go from where they were to where they are. Before a
// change, places are measured; after it, what moved is shown on its way by a
// ghost above the stage, and rows that gave way slide. Only one change is ever
// under way: the next one ends it at once.
'use strict';

(() => {
  const {places} = informerscope;
  const easing = 'cubic-bezier(.2, .7, .2, 1)';
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const maxGhosts = 40, maxRows = 80;
  let running = [], lit = [], job = null, layer = null;

  // find returns the element of a place, or of the nearest place around it.
  const find = (name) => {
    for (let p = name; p; p = p.slice(0, Math.max(0, p.lastIndexOf('/')))) {
      const e = places.get(p);
      if (e) return e;
    }
    return places.get({tape: 'server', loop: 'queue', store: 'store', listener: 'processor', work: 'work', worker: 'work'}[name.split('/')[0]]);
  };

  const measure = (e) => {
    if (!e?.isConnected) return null;
    const r = e.getBoundingClientRect();
    if (!r.width) return null;
    // What is scrolled out of its list is where the list ends.
    const list = e.closest('[data-clip]');
    if (!list) return r;
    const c = list.getBoundingClientRect();
    return new DOMRect(Math.min(Math.max(r.x, c.x), c.right), Math.min(Math.max(r.y, c.y - 8), c.bottom - 8), r.width, r.height);
  };

  const finish = () => {
    for (const stop of running.splice(0)) stop();
  };

  informerscope.before = (millis, forward, moves) => {
    finish();
    job = null;
    if (!millis || document.hidden || still.matches) return;
    job = {millis, forward, starts: [], rows: new Map()};
    for (const m of moves.slice(0, maxGhosts)) {
      const [from, to] = forward ? [m.from, m.to] : [m.to, m.from];
      job.starts.push({m, to, from: measure(find(from)), known: places.has(to)});
    }
    let n = 0;
    for (const list of document.querySelectorAll('[data-flip]')) {
      for (const row of list.children) {
        if (n++ < maxRows) job.rows.set(row, row.getBoundingClientRect());
      }
    }
  };

  informerscope.light = (names) => {
    for (const e of lit) e.classList.remove('lit');
    lit = [];
    for (const name of names) {
      const e = places.get(name);
      if (e) { e.classList.add('lit'); lit.push(e); }
    }
  };

  const ghost = (m) => {
    const g = document.createElement('div');
    g.className = m.how === 'key' ? 'ghost ghost-key' : 'ghost chip chip-' + m.letter;
    const part = (c, t) => { const s = document.createElement('span'); s.className = c; s.textContent = t; g.append(s); };
    if (m.how === 'key') part('k', m.key);
    else { part('l', m.letter); if (m.label) part('v', m.label); }
    return g;
  };

  const fly = ({m, from, to, known}, i, all) => {
    const target = find(to);
    const end = m.how === 'bounce' && job.forward ? null : measure(target);
    if (!from || !(end || m.how === 'bounce')) return;
    const g = ghost(m);
    layer.append(g);
    const size = g.getBoundingClientRect();
    const x0 = from.x + Math.min(from.width - size.width, 0) / 2, y0 = from.y + (from.height - size.height) / 2;
    const delay = m.how === 'sheaf' ? Math.min(i * 14, job.millis / 2) : 0;
    const duration = job.millis + (m.how === 'bounce' ? 120 : 0);
    let frames;
    if (!end) {
      const to = measure(places.get('queue')) ?? from;
      frames = [
        {transform: `translate(${x0}px, ${y0}px)`, opacity: 1},
        {transform: `translate(${to.x - size.width / 2}px, ${y0 - 6}px)`, opacity: 1, offset: .5},
        {transform: `translate(${to.x - size.width - 12}px, ${y0 + 70}px) rotate(-14deg)`, opacity: 0},
      ];
    } else {
      const x1 = end.x + Math.min(end.width - size.width, 0) / 2, y1 = end.y + (end.height - size.height) / 2;
      const lift = Math.min(26, Math.hypot(x1 - x0, y1 - y0) / 8);
      const last = m.how === 'merge' ? {opacity: .2, transform: `translate(${x1}px, ${y1}px) scale(.7)`} : {opacity: 1, transform: `translate(${x1}px, ${y1}px)`};
      frames = [
        {transform: `translate(${x0}px, ${y0}px)`, opacity: 1},
        {transform: `translate(${(x0 + x1) / 2}px, ${(y0 + y1) / 2 - lift}px) scale(1.06)`, opacity: 1},
        last,
      ];
    }
    const a = g.animate(frames, {duration, delay, easing, fill: 'both'});
    // The thing itself is on its way: it isn't at its goal yet.
    const exact = places.get(to);
    const tile = exact?.classList.contains('tile');
    const hide = exact && end && m.how !== 'merge' && m.how !== 'key' && all.length < maxGhosts && (exact.classList.contains('chip') || tile && !known);
    // A tile that was there turns over from the old version to the new one.
    const turn = tile && known && job.forward && exact.animate([{transform: 'none'}, {transform: 'rotateX(90deg)', offset: .6}, {transform: 'none'}], {duration: duration * 1.4, easing: 'ease-in-out'});
    if (hide) exact.classList.add('arriving');
    if (turn) a.onfinish = () => g.remove();
    const stop = () => {
      a.cancel();
      if (turn) turn.cancel();
      g.remove();
      if (hide) exact.classList.remove('arriving');
    };
    (turn || a).onfinish = () => { stop(); running = running.filter((r) => r !== stop); };
    running.push(stop);
  };

  informerscope.after = () => {
    if (!job) return;
    layer ??= document.getElementById('flying');
    job.starts.forEach(fly);
    for (const [row, was] of job.rows) {
      if (!row.isConnected) continue;
      const is = row.getBoundingClientRect();
      const dx = was.x - is.x, dy = was.y - is.y;
      if (Math.abs(dx) + Math.abs(dy) < 1) continue;
      const a = row.animate([{transform: `translate(${dx}px, ${dy}px)`}, {transform: 'none'}], {duration: job.millis, easing});
      running.push(() => a.cancel());
    }
    job = null;
  };
})();
