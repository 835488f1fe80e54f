// Measures the page as it is now, and returns what is wrong with it, as an array of sentences:
// text that is cut, text on text, stations and controls that run out of their place, type that is
// too small, and controls that can't be reached.
() => {
  const faults = [];
  const root = document.documentElement;
  const main = document.querySelector('main');
  const slack = 1.5; // pixels, for rounding and for letters that hang over
  const least = innerWidth >= 1400 && innerHeight >= 880 ? 13.99 : 12; // pixels that type on the stage has

  const call = (e) => {
    const own = e.getAttribute('class') ? '.' + e.getAttribute('class').trim().split(/\s+/).join('.') : '';
    const station = e.closest('[data-station]');
    return (station && station !== e ? station.dataset.station + ' ' : '') + e.localName + own;
  };
  // Neither changes while the page is measured, and each is asked for thousands of times.
  const kept = (find) => {
    const found = new Map();
    return (e) => {
      if (!found.has(e)) found.set(e, find(e));
      return found.get(e);
    };
  };
  const shown = kept((e) => e.checkVisibility({visibilityProperty: true}) && getComputedStyle(e).clipPath !== 'inset(50%)' && !e.closest('.visually-hidden, #flying, .was, #boot, option'));
  const across = (r, s) => Math.min(r.right, s.right) - Math.max(r.left, s.left);
  const down = (r, s) => Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top);

  const isFixed = kept((e) => getComputedStyle(e).position === 'fixed');
  // What cuts the content of an element: itself and elements around it, from the inside outwards.
  const cutters = kept((e) => {
    if (!e || e === root) return [];
    const style = getComputedStyle(e), around = isFixed(e) ? [] : cutters(e.parentElement);
    if (style.overflow === 'visible') return around;
    const box = e.getBoundingClientRect(), z = e.closest('.taught > *') && e.offsetWidth ? box.width / e.offsetWidth : 1; // a lesson's stations are zoomed, and client sizes aren't
    const left = box.left + e.clientLeft * z, top = box.top + e.clientTop * z;
    const scrolls = (axis) => /auto|scroll/.test(style['overflow' + axis]);
    return [{
      e, left, top, right: left + e.clientWidth * z, bottom: top + e.clientHeight * z, scrollsX: scrolls('X'), scrollsY: scrolls('Y'),
      // An ellipsis is a cut that can be read on: its element, or one around it, has the whole text as its title.
      readOn: style.textOverflow === 'ellipsis' && e.closest('[title], [aria-label]'),
    }, ...around];
  });

  // The part of a box that its ancestors let be seen, and whether any of them cuts it for good.
  const seen = (element, rect, own = false) => {
    let {left, top, right, bottom} = rect, cut = '';
    for (const c of own ? cutters(element) : isFixed(element) ? [] : cutters(element.parentElement)) {
      const sideways = left < c.left - slack || right > c.right + slack;
      const upright = top < c.top - slack || bottom > c.bottom + slack;
      const gone = right <= c.left + slack || left >= c.right - slack || bottom <= c.top + slack || top >= c.bottom - slack;
      if (sideways && !c.scrollsX && !gone && !cut && !c.readOn) cut = 'sideways by ' + call(c.e);
      if (upright && !c.scrollsY && !gone && !cut) cut = 'upright by ' + call(c.e);
      left = Math.max(left, c.left);
      top = Math.max(top, c.top);
      right = Math.min(right, c.right);
      bottom = Math.min(bottom, c.bottom);
    }
    return {left, top, right, bottom, cut};
  };

  // All text, line by line.
  const front = document.querySelector('dialog[open]');
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement, text = n.textContent.trim();
    if (!text || !e || !shown(e) || e.closest('script, style, textarea')) continue;
    if (front && !front.contains(e)) continue;
    const size = parseFloat(getComputedStyle(e).fontSize);
    if (size < least && size > 0 && main.contains(e)) faults.push(`${call(e)} has type of ${size}px: ${text.slice(0, 30)}`);
    const range = document.createRange();
    range.selectNodeContents(n);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      // The box of a line is higher than its letters.
      const body = new DOMRect(rect.x, rect.y + rect.height * .2, rect.width, rect.height * .6);
      const part = seen(e, body, true);
      if (part.cut) faults.push(`${call(e)} is cut ${part.cut}: ${text.slice(0, 40)}`);
      if (part.right - part.left < 1 || part.bottom - part.top < 1) continue;
      texts.push({n, e, text, ...part});
      const cell = e.closest('[role=cell], [role=rowheader], td, th, button')?.getBoundingClientRect();
      if (cell && (part.left < cell.left - slack || part.right > cell.right + slack)) faults.push(`${call(e)} runs out of its cell: ${text.slice(0, 40)}`);
      const station = e.closest('[data-station]');
      if (station && !e.closest('.menu-list')) {
        const box = station.getBoundingClientRect();
        if (part.left < box.left - slack || part.right > box.right + slack || part.top < box.top - slack || part.bottom > box.bottom + slack) {
          faults.push(`${call(e)} runs out of its station: ${text.slice(0, 40)}`);
        }
      }
    }
  }
  // What may lie on text: a menu, and what stays at the edge while the rest scrolls below it. What goes round the loop goes beneath the parts (TestTheLoop).
  const covers = (e) => e.closest('.menu-list, .future-tools, .future-mark, .made-up, .count, .unit, .traveller, .setup-foot, .begin, .buttons, .code-function header');
  texts.sort((a, b) => a.top - b.top);
  for (let i = 0; i < texts.length; i++) {
    for (let j = i + 1; j < texts.length && texts[j].top < texts[i].bottom; j++) {
      const a = texts[i], b = texts[j];
      if (a.n !== b.n && across(a, b) > 2 && down(a, b) > 2 && !covers(a.e) && !covers(b.e)) {
        faults.push(`${call(a.e)} “${a.text.slice(0, 24)}” and ${call(b.e)} “${b.text.slice(0, 24)}” lie on each other`);
      }
    }
  }
  if (front) return faults;

  // Boxes that share the page, and parts of one station.
  const apart = (boxes) => {
    const parts = boxes.map((e) => seen(e, e.getBoundingClientRect()));
    for (let i = 0; i < boxes.length; i++) {
      for (let j = i + 1; j < boxes.length; j++) {
        const a = parts[i], b = parts[j];
        if (across(a, b) > slack && down(a, b) > slack) faults.push(`${call(boxes[i])} and ${call(boxes[j])} lie on each other`);
      }
    }
  };
  const all = (selector, from = document) => [...from.querySelectorAll(selector)].filter(shown);
  apart(all('.top, main, aside, .transport, .notice:not(main *)'));
  apart(all('[data-station], main > .notice'));
  apart(all('.top > *'));
  apart(all('.controls > *'));
  for (const station of all('[data-station]')) {
    apart([...station.children].filter((e) => shown(e) && !/absolute|fixed/.test(getComputedStyle(e).position)));
    const box = station.getBoundingClientRect();
    for (const e of station.querySelectorAll('*')) {
      if (!shown(e) || e.closest('.menu-list, .port, svg')) continue;
      const r = seen(e, e.getBoundingClientRect());
      if (r.right - r.left > 1 && r.bottom - r.top > 1 && (r.left < box.left - slack || r.right > box.right + slack || r.top < box.top - slack || r.bottom > box.bottom + slack)) {
        faults.push(`${call(e)} runs out of its station`);
      }
    }
  }

  // What can be used is in the window, or can be scrolled there.
  const inWindow = (r) => r.left >= -slack && r.right <= innerWidth + slack && r.top >= -slack && r.bottom <= innerHeight + slack;
  const documentScrolls = !/hidden|clip/.test(getComputedStyle(root).overflowY);
  const reachable = (e) => {
    let r = e.getBoundingClientRect();
    for (let p = e.parentElement; p && p !== root; p = p.parentElement) {
      const style = getComputedStyle(p), box = p.getBoundingClientRect();
      if (/auto|scroll/.test(style.overflowY + style.overflowX)) r = box;
      else if (/hidden|clip/.test(style.overflow) && (across(r, box) < 1 || down(r, box) < 1)) return false;
    }
    return inWindow(r) || documentScrolls && r.left >= -slack && r.right <= innerWidth + slack && r.top + scrollY >= -slack && r.bottom + scrollY <= root.scrollHeight + slack;
  };
  for (const e of all('.loop-bar button, .loop-beats button, .loop-top button, .top button, .top select, .transport button, .transport select, [role=slider], .tab, .begin')) {
    if (!reachable(e) && !e.closest('.streams, .futures')) faults.push(`${call(e)} can't be reached: ${e.ariaLabel || e.textContent}`);
  }
  // The loop has a bar of its own, with nothing to play at its doors, and so has a lesson on a phone.
  const bar = [['unit', '[data-act=unit]'], ['timeline', '[role=slider]'], ['play button', '[data-act=play]']];
  if (root.dataset.view === 'loop') bar.splice(0, 3, root.dataset.beat === '5' ? ['door', '.way-on'] : ['play button', '[data-act=loopPlay]']);
  else if (innerWidth < 860 && all('.lesson-foot').length) bar.splice(0, 3, ['bar of the lesson', '.lesson-foot button']);
  for (const [what, selector] of bar) {
    if (!all(selector).length) faults.push(`there is no ${what}`);
  }
  if (innerWidth >= 860 && document.querySelector('[data-act=profile]') && !all('[data-act=profile]').length) faults.push('there is no switch of versions');
  if (root.scrollWidth > innerWidth + 1) faults.push(`the page is ${root.scrollWidth - innerWidth} pixels too wide`);
  const stage = main.getBoundingClientRect();
  const scrolls = main.scrollHeight > main.clientHeight + 1 || root.scrollHeight > innerHeight + 1;
  const share = root.dataset.beside ? 4 : 2; // two machines share the place of one
  if (stage.width * stage.height < innerWidth * innerHeight / share && !scrolls) {
    faults.push(`the stage has ${Math.round(100 * stage.width * stage.height / innerWidth / innerHeight)} % of the window and doesn't scroll`);
  }
  for (const e of main.querySelectorAll('[data-station]')) {
    const r = e.getBoundingClientRect();
    if (r.width > 1 && (r.left < stage.left - slack || r.right > stage.right + slack) && main.scrollWidth <= main.clientWidth) faults.push(`${call(e)} runs out of the stage`);
  }
  return [...new Set(faults)];
}
