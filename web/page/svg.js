// Draws a part of the page as SVG: rectangles, paths and text where the browser has laid them out.
// There is no HTML inside, so editors and slide programs can open the result, and text stays text.
// It draws what the styles of the stage use. Blurred shadows and masks are left out.

/** A rectangle in CSS pixels. @typedef {{x: number, y: number, w: number, h: number}} Box */

/** @param {number} v */
const n = (v) => String(Math.round(v * 100) / 100);

/**
 * Makes text safe between tags and in attributes. What XML can't hold becomes U+FFFD.
 * @param {string} text
 */
const safe = (text) => text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  .replace(/[&<>"]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c] ?? c);

/**
 * The numbers of a computed colour: rgb(…), rgba(…) or color(srgb …). The answer is null if it can't
 * be seen.
 * @param {string} text
 */
const colour = (text) => {
  const numbers = text.match(/[\d.]+(?:e-?\d+)?/g)?.map(Number);
  if (!numbers || numbers.length < 3) return null;
  const [r, g, b, alpha = 1] = numbers, most = text.startsWith('color(') ? 255 : 1;
  if (!alpha) return null;
  return {paint: '#' + [r, g, b].map((v) => Math.round(Math.min(v * most, 255)).toString(16).padStart(2, '0')).join(''), alpha};
};

/**
 * An attribute with a colour, and one for its opacity where it has one.
 * @param {'fill' | 'stroke'} name
 * @param {string} text
 */
const paint = (name, text) => {
  const c = colour(text);
  if (!c) return ` ${name}="none"`;
  return ` ${name}="${c.paint}"` + (c.alpha < 1 ? ` ${name}-opacity="${n(c.alpha)}"` : '');
};

/** Splits a computed list at the commas that are outside of parentheses. @param {string} list */
const items = (list) => list.split(/,\s*(?![^()]*\))/);

/** @param {Box} b @param {number} by */
const grown = (b, by) => ({x: b.x - by, y: b.y - by, w: b.w + 2 * by, h: b.h + 2 * by});

/** @param {Box} b @param {number} radius @param {string} [attributes] */
const rect = (b, radius, attributes = '') => {
  if (b.w <= 0 || b.h <= 0) return '';
  const r = Math.max(0, Math.min(radius, b.w / 2, b.h / 2));
  return `<rect x="${n(b.x)}" y="${n(b.y)}" width="${n(b.w)}" height="${n(b.h)}"${r ? ` rx="${n(r)}"` : ''}${attributes}/>`;
};

/** @param {Box} a @param {Box} b */
const apart = (a, b) => a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h;

/** How long the page's thread is used at a stretch, in milliseconds. */
const stretch = 12;

/** Lets the page's other tasks have their turn. */
export const turn = () => new Promise((done) => { setTimeout(done); });

const measure = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));

/**
 * A text with an ellipsis at its end, in the font that measure has, so that it is no wider than room.
 * @param {string} text
 * @param {number} room
 */
const shortened = (text, room) => {
  let fits = 0, not = text.length + 1;
  while (not - fits > 1) {
    const middle = (fits + not) >> 1;
    if (measure.measureText(text.slice(0, middle) + '…').width <= room) fits = middle;
    else not = middle;
  }
  if (/[\ud800-\udbff]$/.test(text.slice(0, fits))) fits--;
  return text.slice(0, fits) + '…';
};

/** What takes the picture. */
class Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    const r = root.getBoundingClientRect();
    this.left = r.left;
    this.top = r.top;
    this.width = r.width;
    this.height = r.height;
    this.family = getComputedStyle(root).fontFamily;
    /** @type {string[]} */
    this.out = [];
    /** @type {string[]} */
    this.defs = [];
    this.since = performance.now();
  }

  /** @param {string} text */
  add(text) { if (text) this.out.push(text); }

  /** @param {string} prefix @param {(id: string) => string} make */
  define(prefix, make) {
    const id = prefix + this.defs.length;
    this.defs.push(make(id));
    return `url(#${id})`;
  }

  /** @param {DOMRect} r @returns {Box} */
  box(r) { return {x: r.left - this.left, y: r.top - this.top, w: r.width, h: r.height}; }

  /** @param {Element} e @param {Box} clip what can be seen @returns {Promise<void>} */
  async element(e, clip) {
    const style = getComputedStyle(e);
    if (style.display === 'none' || style.clipPath !== 'none' || style.opacity === '0') return;
    if (performance.now() - this.since > stretch) {
      await turn();
      this.since = performance.now();
    }
    const b = this.box(e.getBoundingClientRect()), seen = style.visibility === 'visible';
    if (style.display !== 'contents' && apart(grown(b, 4), clip) && style.overflow !== 'visible') return;
    const faded = style.opacity !== '1';
    if (faded) this.add(`<g opacity="${style.opacity}">`);
    if (e instanceof SVGSVGElement) {
      if (seen) this.vector(e, style, b);
    } else {
      const radius = this.radius(style, b);
      if (seen && style.display !== 'contents') this.surface(style, b, radius);
      await this.content(e, style, b, radius, clip);
      if (seen) this.outline(style, b, radius);
    }
    if (faded) this.add('</g>');
  }

  /** @param {CSSStyleDeclaration} style @param {Box} b */
  radius(style, b) {
    const r = style.borderTopLeftRadius, v = parseFloat(r);
    return Math.min(r.includes('%') ? v / 100 * b.w : v, b.w / 2, b.h / 2);
  }

  /** Shadows, background and border. @param {CSSStyleDeclaration} style @param {Box} b @param {number} radius */
  surface(style, b, radius) {
    const inner = [];
    if (style.boxShadow !== 'none') {
      for (const shadow of items(style.boxShadow).reverse()) {
        const [x, y, blur, spread] = (shadow.match(/-?[\d.]+px/g) ?? []).map(parseFloat), ink = shadow.replace(/-?[\d.]+px/g, '');
        if (blur || !colour(ink)) continue;
        if (shadow.includes('inset')) inner.push(rect(grown(b, -spread / 2), radius - spread / 2, ` fill="none" stroke-width="${n(spread)}"` + paint('stroke', ink)));
        else if (x || y) this.add(rect({...grown(b, spread), x: b.x - spread + x, y: b.y - spread + y}, radius, paint('fill', ink)));
        else this.add(rect(grown(b, spread / 2), radius + spread / 2, ` fill="none" stroke-width="${n(spread)}"` + paint('stroke', ink)));
      }
    }
    if (colour(style.backgroundColor)) this.add(rect(b, radius, paint('fill', style.backgroundColor)));
    if (style.backgroundImage.startsWith('repeating-linear-gradient(')) {
      this.add(rect(b, radius, ` fill="${this.stripes(style.backgroundImage.slice(26, -1), b)}"`));
    }
    for (const r of inner) this.add(r);
    this.border(style, b, radius);
  }

  /** @param {CSSStyleDeclaration} style @param {Box} b @param {number} radius */
  border(style, b, radius) {
    /** @param {'Top' | 'Right' | 'Bottom' | 'Left'} name */
    const side = (name) => {
      const kind = style[`border${name}Style`], width = kind === 'none' ? 0 : parseFloat(style[`border${name}Width`]);
      return {kind, width, ink: style[`border${name}Color`]};
    };
    const sides = [side('Top'), side('Right'), side('Bottom'), side('Left')], [top] = sides;
    const same = sides.every((s) => s.width === top.width && s.ink === top.ink && s.kind === top.kind);
    /** @param {typeof top} s */
    const line = ({kind, width, ink}) => {
      const dash = kind === 'dashed' ? ` stroke-dasharray="${n(3 * width)} ${n(2 * width)}"` : kind === 'dotted' ? ` stroke-dasharray="${n(width)} ${n(width)}"` : '';
      return paint('stroke', ink) + ` stroke-width="${n(width)}"${dash}`;
    };
    if (same) {
      if (top.width && colour(top.ink)) this.add(rect(grown(b, -top.width / 2), radius - top.width / 2, ' fill="none"' + line(top)));
      return;
    }
    const x = b.x + b.w, y = b.y + b.h;
    /** @type {((half: number) => [number, number, number, number])[]} */
    const ways = [(h) => [b.x, b.y + h, x, b.y + h], (h) => [x - h, b.y, x - h, y], (h) => [b.x, y - h, x, y - h], (h) => [b.x + h, b.y, b.x + h, y]];
    sides.forEach((s, i) => {
      if (!s.width || !colour(s.ink)) return;
      const [x1, y1, x2, y2] = ways[i](s.width / 2).map(n);
      this.add(`<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"${line(s)}/>`);
    });
  }

  /** @param {CSSStyleDeclaration} style @param {Box} b @param {number} radius */
  outline(style, b, radius) {
    const width = parseFloat(style.outlineWidth), away = parseFloat(style.outlineOffset) + width / 2;
    if (style.outlineStyle === 'none' || !width || !colour(style.outlineColor)) return;
    this.add(rect(grown(b, away), radius + away, ` fill="none" stroke-width="${n(width)}"` + paint('stroke', style.outlineColor)));
  }

  /**
   * The stripes of a repeating-linear-gradient, whose arguments are the text.
   * @param {string} text
   * @param {Box} b
   */
  stripes(text, b) {
    const stops = items(text), turn = /^(-?[\d.]+)deg$/.exec(stops[0]);
    if (turn) stops.shift();
    const angle = (turn ? Number(turn[1]) : 180) * Math.PI / 180, dx = Math.sin(angle), dy = -Math.cos(angle);
    const half = (Math.abs(b.w * dx) + Math.abs(b.h * dy)) / 2, x = b.x + b.w / 2 - dx * half, y = b.y + b.h / 2 - dy * half;
    const at = stops.flatMap((s) => (s.match(/[\d.]+px/g) ?? []).map((length) => ({length: parseFloat(length), ink: colour(s.replace(/[\d.]+px/g, ''))})));
    const period = at[at.length - 1].length;
    return this.define('s', (id) => `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" spreadMethod="repeat" x1="${n(x)}" y1="${n(y)}" x2="${n(x + dx * period)}" y2="${n(y + dy * period)}">`
      + at.map(({length, ink}) => `<stop offset="${n(length / period)}" stop-color="${ink?.paint ?? '#000'}"${ink?.alpha === 1 ? '' : ` stop-opacity="${n(ink?.alpha ?? 0)}"`}/>`).join('') + '</linearGradient>');
  }

  /** @param {Element} e @param {CSSStyleDeclaration} style @param {Box} b @param {number} radius @param {Box} clip */
  async content(e, style, b, radius, clip) {
    let cut = false;
    if (style.overflow !== 'visible' && style.display !== 'contents') {
      const [top, right, bottom, left] = [style.borderTopWidth, style.borderRightWidth, style.borderBottomWidth, style.borderLeftWidth].map(parseFloat);
      const inside = {x: b.x + left, y: b.y + top, w: b.w - left - right, h: b.h - top - bottom};
      const x = Math.max(clip.x, inside.x), y = Math.max(clip.y, inside.y);
      clip = {x, y, w: Math.min(clip.x + clip.w, inside.x + inside.w) - x, h: Math.min(clip.y + clip.h, inside.y + inside.h) - y};
      if (clip.w <= 0 || clip.h <= 0) return;
      cut = e.children.length > 0 && radius > 0 || e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight;
      if (cut) this.add(`<g clip-path="${this.define('c', (id) => `<clipPath id="${id}">${rect(inside, radius - top)}</clipPath>`)}">`);
    }
    const z = [...e.children].some((c) => getComputedStyle(c).zIndex !== 'auto');
    const nodes = [...e.childNodes];
    if (z) { // what is below or above its neighbours
      /** @param {Node} c */
      const level = (c) => c instanceof Element ? Number(getComputedStyle(c).zIndex) || 0 : 0;
      nodes.sort((p, q) => level(p) - level(q));
    }
    for (const c of nodes) {
      if (c instanceof Element) await this.element(c, clip);
      else if (c instanceof Text && style.visibility === 'visible') this.text(c, style, clip);
    }
    if (cut) this.add('</g>');
  }

  /** @param {Text} node @param {CSSStyleDeclaration} style @param {Box} clip */
  text(node, style, clip) {
    const size = parseFloat(style.fontSize);
    const first = node.data.search(/\S/);
    if (first < 0 || !size) return;
    const range = document.createRange();
    range.setStart(node, first);
    range.setEnd(node, node.data.trimEnd().length);
    const rects = range.getClientRects();
    if (!rects.length) return;
    const b = this.box(range.getBoundingClientRect());
    if (apart(b, clip)) return;
    const font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`, keeps = style.whiteSpace.startsWith('pre');
    for (const {text, r} of rects.length > 1 ? lines(node, range) : [{text: range.toString(), r: rects[0]}]) {
      const at = this.box(r), room = this.room(node, at);
      let said = keeps ? text : text.replace(/[ \t\n\r\f]+/g, ' ').trim();
      measure.font = font;
      if (room !== null) {
        said = shortened(said, room - at.x);
        at.w = measure.measureText(said).width;
      }
      this.line(said, at, style, keeps);
    }
  }

  /** @param {string} said @param {Box} at @param {CSSStyleDeclaration} style @param {boolean} keeps its spaces */
  line(said, at, style, keeps) {
    const {fontBoundingBoxAscent: up, fontBoundingBoxDescent: down} = measure.measureText(said);
    const base = at.y + (at.h - up - down) / 2 + up;
    let attributes = ` x="${n(at.x)}" y="${n(base)}" font-size="${n(parseFloat(style.fontSize))}"${paint('fill', style.color)}`;
    if (style.fontFamily !== this.family) attributes += ` font-family="${safe(style.fontFamily)}"`;
    if (style.fontWeight !== '400') attributes += ` font-weight="${style.fontWeight}"`;
    if (keeps && said.includes('  ')) attributes += ' xml:space="preserve"';
    if (said.length > 1) attributes += ` textLength="${n(at.w)}" lengthAdjust="spacingAndGlyphs"`; // another computer has other fonts
    this.add(`<text${attributes}>${safe(said)}</text>`);
  }

  /**
   * Where a text has to end because its line is cut with an ellipsis, or null.
   * @param {Text} node
   * @param {Box} at
   */
  room(node, at) {
    for (let e = node.parentElement, up = 0; e && up < 3; e = e.parentElement, up++) {
      const style = getComputedStyle(e);
      if (style.textOverflow !== 'ellipsis' || style.overflow === 'visible' || /flex|grid/.test(style.display)) continue;
      const b = this.box(e.getBoundingClientRect()), end = b.x + b.w - parseFloat(style.paddingRight) - parseFloat(style.borderRightWidth);
      return at.x + at.w > end + .5 ? end : null;
    }
    return null;
  }

  /** An icon, or the wires. @param {SVGSVGElement} e @param {CSSStyleDeclaration} style @param {Box} b */
  vector(e, style, b) {
    const v = e.viewBox.baseVal, scale = v?.width ? Math.min(b.w / v.width, b.h / v.height) : 1;
    const [x, y] = v?.width ? [b.x + (b.w - v.width * scale) / 2 - v.x * scale, b.y + (b.h - v.height * scale) / 2 - v.y * scale] : [b.x, b.y];
    let move = `translate(${n(x)} ${n(y)})` + (scale === 1 ? '' : ` scale(${scale.toFixed(4)})`);
    if (style.transform !== 'none') {
      const m = new DOMMatrix(style.transform), degrees = Math.atan2(m.b, m.a) * 180 / Math.PI;
      move = `rotate(${n(degrees)} ${n(b.x + b.w / 2)} ${n(b.y + b.h / 2)}) ` + move;
    }
    this.add(`<g transform="${move}">`);
    this.shapes(e);
    this.add('</g>');
  }

  /** @param {Element} parent */
  shapes(parent) {
    for (const e of parent.children) {
      const style = getComputedStyle(e);
      if (style.display === 'none' || style.visibility !== 'visible' || e.localName === 'defs') continue;
      if (e.localName === 'g') {
        this.shapes(e);
        continue;
      }
      let attributes = '';
      for (const name of ['d', 'cx', 'cy', 'r', 'x', 'y', 'width', 'height', 'rx', 'x1', 'y1', 'x2', 'y2', 'points', 'transform', 'pathLength', 'stroke-dasharray']) {
        const value = e.getAttribute(name);
        if (value !== null) attributes += ` ${name}="${safe(value)}"`;
      }
      attributes += paint('fill', style.fill);
      if (colour(style.stroke)) {
        attributes += paint('stroke', style.stroke) + ` stroke-width="${n(parseFloat(style.strokeWidth))}"`;
        if (style.strokeLinecap !== 'butt') attributes += ` stroke-linecap="${style.strokeLinecap}"`;
        if (style.strokeDasharray !== 'none' && !e.hasAttribute('stroke-dasharray')) attributes += ` stroke-dasharray="${style.strokeDasharray.replaceAll('px', '')}"`;
      }
      if (style.opacity !== '1') attributes += ` opacity="${style.opacity}"`;
      this.add(`<${e.localName}${attributes}/>`);
    }
  }
}

/**
 * The lines of a text that goes over several.
 * @param {Text} node
 * @param {Range} range
 */
const lines = (node, range) => {
  /** @type {{text: string, r: DOMRect}[]} */
  const all = [];
  for (let i = 0; i < node.length;) {
    const width = (node.data.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
    range.setStart(node, i);
    range.setEnd(node, i + width);
    const text = node.data.slice(i, i + width), r = range.getBoundingClientRect(), last = all[all.length - 1];
    i += width;
    if (last && (!r.width || Math.abs(r.top - last.r.top) < r.height / 2)) {
      last.text += text;
      if (r.width && text.trim()) last.r.width = r.right - last.r.left;
    } else if (text.trim()) {
      all.push({text, r: new DOMRect(r.left, r.top, r.width, r.height)});
    }
  }
  return all;
};

/**
 * Draws an element as SVG. The element must not change meanwhile, since this takes turns with the
 * page.
 * @param {HTMLElement} root
 * @param {string} title what the picture shows
 */
export const draw = async (root, title) => {
  const d = new Drawing(root), w = n(d.width), h = n(d.height);
  await d.element(root, {x: 0, y: 0, w: d.width, h: d.height});
  return {
    width: Math.ceil(d.width),
    height: Math.ceil(d.height),
    text: `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" font-family="${safe(d.family)}">\n<title>${safe(title)}</title>\n`
      + (d.defs.length ? `<defs>\n${d.defs.join('\n')}\n</defs>\n` : '') + d.out.join('\n') + '\n</svg>\n',
  };
};
