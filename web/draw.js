// Draws what is too dense for elements: the timeline and the map of a large
// cache; and the wires between the stations. What was drawn last is kept, to
// draw it again when its size or the theme changes.
'use strict';

(() => {
  const kept = new Map();
  // What a colour of the palette is in this theme. Only the style of an element tells:
  // the property itself still holds both themes' colours.
  const colours = new Map();
  const colour = (name) => {
    if (!colours.has(name)) {
      const probe = document.getElementById('flying');
      probe.style.color = `var(${name})`;
      colours.set(name, getComputedStyle(probe).color);
    }
    return colours.get(name);
  };

  // numbers reads a drawing: unsigned varints.
  const numbers = (bytes) => {
    const out = [];
    for (let at = 0; at < bytes.length;) {
      let v = 0, shift = 1, b;
      do { b = bytes[at++]; v += (b & 127) * shift; shift *= 128; } while (b > 127);
      out.push(v);
    }
    return out;
  };

  // The size of each canvas, as its observer told: to ask for it while the page
  // changes would make the browser lay everything out at once.
  const measured = new WeakMap();

  const prepare = (canvas) => {
    const {width: w, height: h} = measured.get(canvas), ratio = devicePixelRatio || 1;
    if (!w || !h) return null;
    const dx = Math.round(w * ratio), dy = Math.round(h * ratio);
    if (canvas.width !== dx || canvas.height !== dy) { canvas.width = dx; canvas.height = dy; }
    const c = canvas.getContext('2d');
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, w, h);
    return {c, w, h};
  };

  // timeline: columns, highest queue depth, highest behind, listeners, event
  // types; then for each column its depth, behind by listener, events by type;
  // then marks: position in ten-thousandths, kind.
  const timeline = (canvas, d) => {
    const p = prepare(canvas);
    if (!p) return;
    const {c, w, h} = p;
    let at = 0;
    const cols = d[at++], maxQueue = d[at++] || 1, maxBehind = d[at++] || 1, listeners = d[at++], types = d[at++];
    const step = w / Math.max(cols, 1), each = listeners + types + 1;
    const row = (h - 6) / 3, base = [row - 3, 2 * row - 1, h - 3];
    const value = (col, k) => d[at + col * each + k];
    c.strokeStyle = colour('--line');
    c.lineWidth = 1;
    for (const y of base) { c.beginPath(); c.moveTo(0, y + .5); c.lineTo(w, y + .5); c.stroke(); }

    const line = (k, max, bottom, stroke, fill) => {
      const y = (v) => bottom - (v / max) * (row - 9);
      c.beginPath();
      c.moveTo(0, y(cols ? value(0, k) : 0));
      for (let i = 0; i < cols; i++) { c.lineTo(i * step, y(value(i, k))); c.lineTo((i + 1) * step, y(value(i, k))); }
      c.strokeStyle = stroke;
      c.lineWidth = 1.5;
      c.stroke();
      if (!fill) return;
      c.lineTo(w, bottom);
      c.lineTo(0, bottom);
      c.globalAlpha = .18;
      c.fillStyle = stroke;
      c.fill();
      c.globalAlpha = 1;
    };
    line(0, maxQueue, base[0], colour('--U'), true);
    for (let l = 0; l < listeners; l++) line(1 + l, maxBehind, base[1], colour('--lane' + l % 4), false);

    let most = 1;
    for (let i = 0; i < cols; i++) {
      let sum = 0;
      for (let k = 0; k < types; k++) sum += value(i, 1 + listeners + k);
      most = Math.max(most, sum);
    }
    const fills = ['--A', '--U', '--D', '--B', '--error', '--R'].map(colour);
    for (let i = 0; i < cols; i++) {
      let y = base[2];
      for (let k = 0; k < types; k++) {
        const v = value(i, 1 + listeners + k);
        if (!v) continue;
        const tall = Math.max(2, Math.sqrt(v / most) * (row - 8));
        c.fillStyle = fills[k];
        c.fillRect(i * step, y - tall, Math.max(step - .6, 1), tall);
        y -= tall;
      }
    }
    at += cols * each;
    const marks = ['--R', '--R', '--error', '--error', '--B', '--S', '--muted'].map(colour);
    while (at < d.length) {
      const x = d[at++] / 10000 * w, kind = d[at++];
      c.strokeStyle = c.fillStyle = marks[kind] ?? marks[6];
      c.lineWidth = kind === 5 ? .5 : 1;
      c.globalAlpha = kind === 5 ? .5 : .9;
      c.beginPath(); c.moveTo(x, 8); c.lineTo(x, h); c.stroke();
      c.beginPath(); c.moveTo(x, 1); c.lineTo(x + 7, 4.5); c.lineTo(x, 8); c.fill();
      c.globalAlpha = 1;
    }
  };

  // density: the cell that is lit plus one, cells; then for each its objects,
  // its late writes.
  const density = (canvas, d) => {
    const p = prepare(canvas);
    if (!p) return;
    const {c, w, h} = p, lit = d[0] - 1, n = d[1];
    const across = Math.max(1, Math.round(Math.sqrt(n * w / h))), down = Math.ceil(n / across);
    const dx = w / across, dy = h / down, gap = Math.min(dx, dy) > 5 ? 1.5 : .5;
    let most = 1;
    for (let i = 0; i < n; i++) most = Math.max(most, d[2 + 2 * i]);
    const cold = colour('--tile'), hot = colour('--U'), focus = colour('--focus');
    for (let i = 0; i < n; i++) {
      const objects = d[2 + 2 * i], heat = d[3 + 2 * i];
      const x = i % across * dx, y = Math.floor(i / across) * dy;
      c.globalAlpha = objects ? .35 + .65 * objects / most : .12;
      c.fillStyle = cold;
      c.fillRect(x, y, dx - gap, dy - gap);
      if (heat) {
        c.globalAlpha = Math.min(1, .3 + heat * .2);
        c.fillStyle = hot;
        c.fillRect(x, y, dx - gap, dy - gap);
      }
      if (i === lit) {
        c.globalAlpha = 1;
        c.strokeStyle = focus;
        c.lineWidth = 2;
        c.strokeRect(x + 1, y + 1, dx - gap - 2, dy - gap - 2);
      }
    }
    c.globalAlpha = 1;
  };

  const paint = (canvas) => {
    const d = kept.get(canvas);
    if (!measured.has(canvas)) return;
    if (canvas.dataset.draw === 'timeline') timeline(canvas, d); else density(canvas, d);
  };
  const sizes = new ResizeObserver((all) => {
    for (const e of all) {
      measured.set(e.target, e.contentRect);
      if (e.target.isConnected) paint(e.target); else forget(e.target);
    }
  });
  const forget = (canvas) => { kept.delete(canvas); sizes.unobserve(canvas); };

  informerscope.draw = (canvas, bytes) => {
    const known = kept.has(canvas);
    kept.set(canvas, numbers(bytes));
    if (known) paint(canvas); else sizes.observe(canvas);
  };
  informerscope.repaint = () => {
    colours.clear();
    for (const canvas of kept.keys()) if (canvas.isConnected) paint(canvas); else forget(canvas);
    wires();
  };

  // The wires run in the gaps between the stations. [from, its side, to, its
  // side]: the state of each is the stage's data attribute of the same name.
  const routes = {
    watch: ['server', 'bottom', 'reflector', 'top'],
    enqueue: ['reflector', 'right', 'queue', 'left'],
    pop: ['queue', 'bottom', 'loop', 'top'],
    store: ['loop', 'right', 'store', 'left'],
    distribute: ['loop', 'right', 'processor', 'left'],
    work: ['processor', 'bottom', 'work', 'top'],
    writeback: ['work', 'left', 'server', 'left'],
  };
  const point = (r, side, other) => {
    const within = (lo, hi, v) => Math.min(Math.max(v, lo + 26), hi - 26);
    switch (side) {
      case 'left': return [r.left, within(r.top, r.bottom, (other.top + other.bottom) / 2)];
      case 'right': return [r.right, within(r.top, r.bottom, (other.top + other.bottom) / 2)];
      case 'top': return [within(r.left, r.right, (other.left + other.right) / 2), r.top];
      default: return [within(r.left, r.right, (other.left + other.right) / 2), r.bottom];
    }
  };
  const curve = ([x0, y0], s0, [x1, y1], s1) => {
    if (s0 === 'left') { // round the outside
      const x = Math.min(x0, x1) - 9;
      return `M${x0} ${y0} H${x + 6} Q${x} ${y0} ${x} ${y0 - 6} V${y1 + 6} Q${x} ${y1} ${x + 6} ${y1} H${x1 - 2}`;
    }
    if (s0 === 'bottom') return Math.abs(x1 - x0) < 4 ? `M${x0} ${y0} V${y1 - 2}` : `M${x0} ${y0} V${(y0 + y1) / 2} H${x1} V${y1 - 2}`;
    const mid = (x0 + x1) / 2;
    return Math.abs(y1 - y0) < 4 ? `M${x0} ${y1} H${x1 - 2}` : `M${x0} ${y0} H${mid} V${y1} H${x1 - 2}`;
  };
  const wires = () => {
    const svg = document.getElementById('wires');
    if (!svg) return;
    const o = svg.getBoundingClientRect();
    for (const [name, [from, s0, to, s1]] of Object.entries(routes)) {
      let path = svg.querySelector('.wire-' + name);
      if (!path) {
        path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        path.setAttribute('class', 'wire wire-' + name);
        path.setAttribute('marker-end', 'url(#arrow)');
        svg.append(path);
      }
      const a = document.querySelector(`[data-station=${from}]`)?.getBoundingClientRect();
      const b = document.querySelector(`[data-station=${to}]`)?.getBoundingClientRect();
      if (!a || !b) continue;
      const p = point(a, s0, b), q = point(b, s1, s0 === 'left' ? b : new DOMRect(p[0], p[1], 0, 0));
      path.setAttribute('d', curve([p[0] - o.x, p[1] - o.y], s0, [q[0] - o.x, q[1] - o.y], s1));
    }
  };
  const watched = new WeakSet();
  const follow = new ResizeObserver(() => wires());
  informerscope.wires = () => {
    for (const e of document.querySelectorAll('[data-station], main')) {
      if (!watched.has(e)) { watched.add(e); follow.observe(e); }
    }
  };

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', informerscope.repaint);
  new MutationObserver(informerscope.repaint).observe(document.documentElement, {attributes: true, attributeFilter: ['data-theme']});
})();
