// Lists the texts of the stage that aren't whole: cut, with an ellipsis or without one, across the border
// of their station, or out of sight. What scrolls within a station may go out of sight upright. A key is
// cut in its middle on purpose.
() => {
  const slack = 1.5, faults = [];
  const stages = [...document.querySelectorAll('.stage')];
  const shown = (e) => e.checkVisibility({visibilityProperty: true}) && !e.closest('.visually-hidden, .key, .ring-chips, .menu-list') && getComputedStyle(e).clipPath !== 'inset(50%)';
  for (const stage of stages) {
    const walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
      const e = n.parentElement, text = n.textContent.trim();
      if (!text || !shown(e)) continue;
      const station = e.closest('[data-station]'), range = document.createRange();
      range.selectNodeContents(n);
      for (const line of range.getClientRects()) {
        if (line.width < 1 || line.height < 1) continue;
        // The box of a line is higher than its letters.
        let top = line.top + line.height * .2, bottom = line.bottom - line.height * .2, why = '', seen = true;
        for (let p = e; p && p !== document.documentElement && !why; p = p.parentElement) {
          const style = getComputedStyle(p), box = p.getBoundingClientRect();
          if (style.display === 'inline') continue;
          const z = p.closest('.taught > *') && p.offsetWidth ? box.width / p.offsetWidth : 1; // a lesson's stations are zoomed, and client sizes aren't
          const left = box.left + p.clientLeft * z, right = left + p.clientWidth * z, above = box.top + p.clientTop * z, below = above + p.clientHeight * z;
          const part = style.overflow !== 'visible' && p !== stage && p !== station;
          if (part && (line.right <= left + slack || line.left >= right - slack || bottom <= above + slack || top >= below - slack)) {
            seen = false;
            break; // the list has room for fewer entries, or scrolls
          }
          if (style.overflowX !== 'visible' && (line.left < left - slack || line.right > right + slack)) why = 'is cut';
          if (style.overflowY !== 'visible' && (top < above - slack || bottom > below + slack)) {
            if (/auto|scroll/.test(style.overflowY) && p !== stage) {
              [top, bottom] = [Math.max(top, above), Math.min(bottom, below)];
            } else {
              why = p === stage ? 'is out of sight' : 'is cut';
            }
          }
          if (p === station && (line.left < left - slack || line.right > right + slack || top < above - slack || bottom > below + slack)) why = 'leaves its station';
        }
        if (seen && !why && (line.left < -slack || line.right > innerWidth + slack || top < -slack || bottom > innerHeight + slack)) why = 'is out of the window';
        if (why) faults.push(`${station?.dataset.station ?? 'the stage'}${stage === stages[0] ? '' : ' of B'}: “${text.slice(0, 50)}” ${why}`);
      }
    }
  }
  return [...new Set(faults)];
}
