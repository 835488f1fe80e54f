package test

import (
	"flag"
	"strconv"
)

// jitter makes each message between page and worker late by up to 40 milliseconds, at random, so that
// answers come between things between which they hardly ever come on one machine and often on another.
var jitter = flag.Uint64("jitter", 0, "seed of the delays between the page and its worker in Chromium, 0 for none")

// jittered returns a script that runs before the first one of a document. Messages that go the same way keep
// their order.
func jittered(seed uint64) string {
	return `(() => {
	let state = ` + strconv.FormatUint(seed&0xffffffff, 10) + ` ^ (performance.timeOrigin * 1000 >>> 0);
	const random = () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
	const lane = () => {
		const waiting = [];
		let until = 0;
		return deliver => {
			const now = performance.now();
			waiting.push(deliver);
			until = Math.max(until, now + random() * 40);
			setTimeout(() => waiting.shift()(), until - now);
		};
	};
	const {prototype} = MessagePort;
	const {postMessage} = prototype;
	const handler = Object.getOwnPropertyDescriptor(prototype, 'onmessage');
	const out = new WeakMap();
	prototype.postMessage = function (message, transfer = []) {
		if (!out.has(this)) out.set(this, lane());
		// What is sent is what it was when it was sent.
		const kept = structuredClone({message, transfer}, {transfer: Array.isArray(transfer) ? transfer : transfer.transfer});
		out.get(this)(() => postMessage.call(this, kept.message, kept.transfer));
	};
	Object.defineProperty(prototype, 'onmessage', {
		...handler,
		set(f) {
			const arrive = lane();
			handler.set.call(this, f && (e => arrive(() => f.call(this, e))));
		},
	});
})();`
}
