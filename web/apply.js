// Carries out the operations that the page's program writes (wasm/dom/tree):
// one buffer for each change of the page.
'use strict';

const informerscope = globalThis.informerscope = {places: new Map()};

(() => {
  const {places} = informerscope;
  const nodes = [null, document.documentElement];
  const text = new TextDecoder();
  let strings = [];
  let bytes, at;

  const number = () => {
    let v = 0, shift = 1, b;
    do { b = bytes[at++]; v += (b & 127) * shift; shift *= 128; } while (b > 127);
    return v;
  };
  const string = () => strings[number()];
  const take = () => { const n = number(); at += n; return bytes.subarray(at - n, at); };

  const leave = (node) => {
    const place = node.getAttribute?.('data-place');
    if (place && places.get(place) === node) places.delete(place);
  };

  const operations = [,
    /* 1 string */ () => { strings.push(text.decode(take())); },
    /* 2 forget */ () => { strings = []; },
    /* 3 create */ () => {
      const id = number(), tag = string();
      nodes[id] = tag.startsWith('svg:')
        ? document.createElementNS('http://www.w3.org/2000/svg', tag.slice(4))
        : document.createElement(tag);
    },
    /* 4 text */ () => { const n = nodes[number()]; n.textContent = string(); },
    /* 5 attr */ () => {
      const n = nodes[number()], name = string(), value = string();
      if (name === 'data-place') { leave(n); places.set(value, n); }
      if (name === 'data-modal') { if (!n.open) { if (n.isConnected) n.showModal(); else queueMicrotask(() => n.showModal()); } return; }
      n.setAttribute(name, value);
    },
    /* 6 no attr */ () => {
      const n = nodes[number()], name = string();
      if (name === 'data-place') leave(n);
      if (name === 'data-modal') { n.close(); return; }
      n.removeAttribute(name);
    },
    /* 7 prop */ () => {
      const n = nodes[number()], name = string(), value = string();
      n[name] = name === 'checked' ? value === 'true' : value;
    },
    /* 8 style */ () => { const n = nodes[number()], name = string(); n.style.setProperty(name, string()); },
    /* 9 insert */ () => {
      const parent = nodes[number()], n = nodes[number()], before = number();
      parent.insertBefore(n, before ? nodes[before] : null);
    },
    /* 10 remove */ () => { nodes[number()].remove(); },
    /* 11 free */ () => { const id = number(); leave(nodes[id]); nodes[id] = null; },
    /* 12 canvas */ () => { const n = nodes[number()]; informerscope.draw(n, take().slice()); },
    /* 13 motion */ () => {
      const millis = number(), forward = number() === 1, moves = [];
      for (let n = number(); n > 0; n--) {
        moves.push({letter: string(), key: string(), label: string(), from: string(), to: string(), how: string()});
      }
      informerscope.before(millis, forward, moves);
    },
    /* 14 lit */ () => {
      const lit = [];
      for (let n = number(); n > 0; n--) lit.push(string());
      informerscope.light(lit);
    },
    /* 15 no style */ () => { const n = nodes[number()]; n.style.removeProperty(string()); },
  ];

  informerscope.apply = (buffer) => {
    bytes = buffer;
    at = 0;
    nodes[2] ??= document.getElementById('app');
    while (at < bytes.length) operations[bytes[at++]]();
    informerscope.after();
  };
})();
