//go:build js && wasm

// Package dom is the thin layer between the program and the browser. Nothing
// else touches JavaScript. Data crosses as bytes, and as strings only where
// there are few.
package dom

import (
	"strings"

	"github.com/hack-pad/safejs"
	"honnef.co/go/js/dom/v2"
)

// Events are what the page tells the program. Calls never overlap.
type Events struct {
	Act    func(act, arg, value string)                                       // an element with data-act was activated, or its value changed
	Enter  func(act, key, value string)                                       // a key in a field with data-enter takes what stands there, or brings something else
	Key    func(key string, shift, ctrl, alt, typing bool, place string) bool // place: of the stage, where the focus is
	Files  func(name string, size int64)                                      // chosen, dropped or pasted; kept for the next Open
	Drag   func(over bool)                                                    // files are held over the page
	Scrub  func(fraction float64, on bool)                                    // the timeline is pressed or dragged along; on is false at the end
	Size   func(width, height int)                                            // of the window, in CSS pixels
	Media  func(dark, still bool)                                             // prefers-color-scheme, prefers-reduced-motion
	Hidden func(hidden bool)
	Return func(place int, fragment string)                  // the browser shows an entry of its history; Push gave it the number, -1 for one that Push didn't make
	Reply  func([]byte)                                      // from the worker
	Died   func(why string, memory int64)                    // memory is how many bytes the worker had, if it got no more
	Leave  func()                                            // the page is about to go away, and may be loaded again
	Offer  func(title string, size, step int64, when string) // the page around this one offers a trace, which is kept as a file that was chosen
	// Version is called with the version of the page that runs, and the version that its server has:
	// web/page/version.js. Release is what people call the latter. Program is the version of the
	// informerscope that serves it, if that is another one.
	Version func(page, served, release, program string)
	Offline func(state string, bytes int64) // how far the page's files are kept for use offline: web/page/offline.js
}

// Page is the browser's page.
type Page struct {
	History History

	events Events
	embed  safejs.Value // web/page/embed.js, in a frame of another page; else null
	scope  safejs.Value // the one global of web/page/boot.js
	window safejs.Value
	doc    dom.Document
	worker safejs.Value
	files  safejs.Value   // an Array of those that were chosen last
	chosen []safejs.Value // the files of each choice; the first two were chosen before the page was loaded again
	buffer safejs.Value   // a Uint8Array that operations cross in
	room   int
	frame  safejs.Func
	next   func(ms float64)
}

// Open attaches the program to the page and starts its worker.
func Open(on Events) *Page {
	p := &Page{events: on, window: safejs.Global(), doc: dom.GetWindow().Document()}
	p.scope = scope()
	p.embed = get(p.scope, "embed")
	p.History = History{window: p.window, embedded: p.Embedded(), shown: on.Return}
	p.chosen = make([]safejs.Value, 2)
	p.frame = function(func(args []safejs.Value) any {
		if f := p.next; f != nil {
			p.next = nil
			f(float(args[0]))
		}
		return nil
	})
	p.listen()
	p.Restart()
	call(p.scope, "room", function(func(args []safejs.Value) any {
		p.events.Act(text(args[0]), "", text(args[1]))
		return nil
	}).Value())
	return p
}

// Settle begins what the page can do without at first: it has the page's files kept for use offline, which
// fetches all of them, and asks the server for its version.
func (p *Page) Settle() {
	call(p.scope, "keep", function(func(args []safejs.Value) any {
		p.events.Offline(text(args[0]), int64(float(args[1])))
		return nil
	}).Value())
	call(p.scope, "version", function(func(args []safejs.Value) any {
		p.events.Version(text(args[0]), text(args[1]), text(args[2]), text(args[3]))
		return nil
	}).Value())
}

// Reload loads the page again, from its server.
func Reload() { call(get(safejs.Global(), "location"), "reload") }

// FullScreen fills the screen with the page, or ends that. A browser may refuse it.
func (p *Page) FullScreen(on bool) { call(p.scope, "fullScreen", on) }

// OpenNotes opens the speaker's window, which shows what the page has for it.
func (p *Page) OpenNotes() { call(p.scope, "openNotes") }

// Apply carries out the operations of a tree.Patcher, in one call.
func (p *Page) Apply(operations []byte) {
	if len(operations) > p.room {
		p.room = max(len(operations)*2, 1<<16)
		p.buffer = construct(p.window, "Uint8Array", p.room)
	}
	copyOut(p.buffer, operations)
	call(p.scope, "apply", call(p.buffer, "subarray", 0, len(operations)))
}

// Ready removes the picture that is shown while the program starts.
func (p *Page) Ready() {
	if e := p.byID("boot"); truthy(e) {
		call(e, "remove")
	}
	call(p.scope, "wires")
}

// Layout makes the browser compute the layout now, before the task in which it
// paints.
func (p *Page) Layout() { call(p.byID("app"), "getBoundingClientRect") }

// byID finds an element. dom/v2's GetElementByID tries every class of element
// as a wrapper, which costs more time and weight than everything else that the
// page uses of dom/v2.
func (p *Page) byID(id string) safejs.Value {
	return call(safejs.Safe(p.doc.Underlying()), "getElementById", id)
}

// NextFrame calls f before the next painting of the page. A hidden page is not
// painted.
func (p *Page) NextFrame(f func(ms float64)) {
	if p.next == nil {
		call(p.window, "requestAnimationFrame", p.frame.Value())
	}
	p.next = f
}

// Restart starts a new worker, and ends the old one if that still runs.
func (p *Page) Restart() {
	if truthy(p.worker) {
		call(p.worker, "stop")
	}
	p.worker = call(p.scope, "engine",
		function(func(args []safejs.Value) any { p.events.Reply(bytesOf(args[0])); return nil }).Value(),
		function(func(args []safejs.Value) any { p.events.Died(text(args[0]), int64(float(args[1]))); return nil }).Value())
}

// Send sends a request to the worker, together with the files that were chosen
// last if files is true.
func (p *Page) Send(request []byte, files bool) {
	b := construct(p.window, "Uint8Array", len(request))
	copyOut(b, request)
	var f any
	if files {
		f = safejs.Unsafe(p.files)
	}
	call(p.worker, "send", b, f)
}

// SaveState keeps a text for this tab, in case the page is loaded again, and the files of two choices. The number of a
// choice is -1 for none. Where how is Noted, the page keeps them only if the program ends before it calls Stay again;
// then the text is "" for nothing. Stay reports whether the browser keeps the text.
func (p *Page) SaveState(how, text string, choices ...int) bool {
	list := construct(p.window, "Array")
	for _, n := range choices {
		var f any
		if n >= 0 && n < len(p.chosen) && truthy(p.chosen[n]) {
			f = safejs.Unsafe(p.chosen[n])
		}
		call(list, "push", f)
	}
	return truthy(call(p.scope, how, text, list))
}

// How Stay keeps something.
const (
	Leaving = "stay"
	Noted   = "note"
)

// SavedState returns the text that Stay kept before the page was loaded again, or "". It
// takes over the files of that time, and returns which of the two choices the browser still
// has.
func (p *Page) SavedState() (said string, files [2]bool) {
	s := get(p.scope, "stayed")
	if !truthy(s) {
		return "", files
	}
	if list := get(s, "files"); truthy(list) {
		for n := range files {
			if f := index(list, n); truthy(f) {
				p.chosen[n], files[n] = f, true
			}
		}
	}
	return text(get(s, "text")), files
}

// EndReason returns why the program before this one ended, which made the page load again, or "".
func (p *Page) EndReason() string { return text(get(p.scope, "ended")) }

// Fetch reads one of this version's files.
func (p *Page) Fetch(name string, done func([]byte, error)) {
	read := call(call(p.window, "fetch", text(get(p.scope, "folder"))+name), "then", function(func(args []safejs.Value) any {
		return call(args[0], "arrayBuffer")
	}).Value())
	call(read, "then",
		function(func(args []safejs.Value) any {
			done(bytesOf(construct(p.window, "Uint8Array", args[0])), nil)
			return nil
		}).Value(),
		function(func(args []safejs.Value) any { done(nil, jsError(args[0])); return nil }).Value())
}

// Pick opens the browser's own choice of files.
func (p *Page) Pick() {
	if e := p.byID("file"); truthy(e) {
		call(e, "click")
	}
}

// Shoot takes a picture of the stage and gives it to the viewer as a file. Beside the
// picture's title, the sentence stands below the stage if below is true. Done gets the
// file's size, or why there is none. Of a film, which is shown in frames of so many
// milliseconds, the size is 0 while more is true.
func (p *Page) Shoot(as, theme, sentence string, below bool, name string, millis int, more bool, done func(size int64, failed string)) {
	call(call(p.scope, "shoot", as, theme, sentence, below, name, millis, more), "then",
		function(func(args []safejs.Value) any { done(int64(float(args[0])), ""); return nil }).Value(),
		function(func(args []safejs.Value) any { done(0, jsError(args[0]).Error()); return nil }).Value())
}

// Unshoot drops the frames of a film that is not made to its end.
func (p *Page) Unshoot() { call(p.scope, "unshoot") }

// Draw takes a picture of the stage. Done gets its address, or why there is none.
func (p *Page) Draw(sentence string, done func(url, failed string)) {
	call(call(p.scope, "drawn", sentence), "then",
		function(func(args []safejs.Value) any { done(text(args[0]), ""); return nil }).Value(),
		function(func(args []safejs.Value) any { done("", jsError(args[0]).Error()); return nil }).Value())
}

// Print opens the browser's dialog that prints the page.
func (p *Page) Print() { call(p.window, "print") }

// StorageAvailable reports whether the browser keeps settings. It may forbid that, or have no room for more.
func (p *Page) StorageAvailable() bool { return truthy(call(p.scope, "keeps")) }

// Save keeps a setting for the next visit, and reports whether the browser does.
func (p *Page) Save(name, value string) bool { return truthy(call(p.scope, "save", name, value)) }

// Saved returns a setting that Save kept, or "".
func (p *Page) Saved(name string) string { return text(call(p.scope, "saved", name)) }

// Embedded reports whether the page is in a frame of another page.
func (p *Page) Embedded() bool { return truthy(p.embed) }

// Chosen returns the language that the viewer chose at the last visit, or the browser's language, and the theme that
// was chosen, or "". First reports whether the document shows the first view of the page already (web/build/first).
func (p *Page) Chosen() (lang, theme string, first bool) {
	root := get(safejs.Safe(p.doc.Underlying()), "documentElement")
	return text(get(root, "lang")), data(root, "theme"), truthy(call(root, "hasAttribute", "data-first"))
}

// Site returns the page's address without a fragment. In a frame, it is the address of the whole page.
func (p *Page) Site() string {
	at := get(p.window, "location")
	if p.Embedded() {
		return text(get(at, "origin")) + strings.TrimSuffix(text(get(at, "pathname")), "embed.html")
	}
	return text(get(at, "origin")) + text(get(at, "pathname")) + text(get(at, "search"))
}

// share returns web/page/share.js.
func (p *Page) share() safejs.Value { return get(p.scope, "share") }

// Pack packs a text. Data is base64url, or "" where the browser can't pack.
func (p *Page) Pack(s string, done func(data string)) {
	call(p.share(), "pack", s, function(func(args []safejs.Value) any { done(text(args[0])); return nil }).Value())
}

// Unpack unpacks what Pack has made. A text of more than most bytes is refused.
func (p *Page) Unpack(data string, most int, done func(s string, ok bool)) {
	call(p.share(), "unpack", data, most, function(func(args []safejs.Value) any {
		done(text(args[0]), args[0].Type() == safejs.TypeString)
		return nil
	}).Value())
}

// Copy puts a text on the clipboard, and tells whether the browser has allowed it.
func (p *Page) Copy(s string, done func(ok bool)) {
	call(p.share(), "copy", s, function(func(args []safejs.Value) any { done(truthy(args[0])); return nil }).Value())
}

// Report makes the report of a problem, of what the page knows and the browser: web/page/report.js. The options are a
// link.Conversion's, and say what is to leave of it.
func Report(options, release, program, states, commands string, done func(text, failed string)) {
	call(scope(), "report", options, release, program, states, commands, function(func(args []safejs.Value) any {
		done(text(args[0]), text(args[1]))
		return nil
	}).Value())
}

// Download lets the viewer save a text as a file.
func (p *Page) Download(s, name string) { call(p.share(), "give", s, name) }

// History is the browser's history of the page.
//
// In a frame of another page it has no entry but the one that is shown, because Back is that page's own.
type History struct {
	window   safejs.Value
	embedded bool
	place    int                              // the number of the entry that is shown
	shown    func(place int, fragment string) // Events.Return
}

// listen tells which entry is shown. A fragment that the viewer types makes an entry, too.
func (h *History) listen() {
	place := func() {
		number := -1
		if state := get(get(h.window, "history"), "state"); truthy(state) {
			number = integer(get(state, "place"))
		}
		h.shown(number, text(get(get(h.window, "location"), "hash")))
	}
	call(h.window, "addEventListener", "popstate", function(func([]safejs.Value) any { place(); return nil }).Value())
	place()
}

// Push adds an entry, or with instead changes the one that is shown. The fragment has its "#",
// or is "". A browser that finds there are too many changes refuses this one, and then Back
// skips the place.
func (h *History) Push(place int, fragment string, instead bool) {
	h.place = place
	if fragment == "" {
		at := get(h.window, "location")
		fragment = text(get(at, "pathname")) + text(get(at, "search"))
	}
	state := construct(h.window, "Object")
	set(state, "place", place)
	how := "pushState"
	if instead || h.embedded {
		how = "replaceState"
	}
	get(h.window, "history").Call(how, state, "", fragment)
}

// Go goes to another entry.
func (h *History) Go(by int) {
	if h.embedded {
		h.place += by
		h.shown(h.place, text(get(get(h.window, "location"), "hash")))
		return
	}
	call(get(h.window, "history"), "go", by)
}
