//go:build js && wasm

package dom

import (
	"strconv"
	"strings"

	"github.com/hack-pad/safejs"
)

// listen sets the few listeners of the page. All are on the document or the
// window, so elements may come and go.
func (p *Page) listen() {
	on := func(name string, f func(event, target safejs.Value)) {
		call(safejs.Safe(p.doc.Underlying()), "addEventListener", name, function(func(args []safejs.Value) any {
			f(args[0], get(args[0], "target"))
			return nil
		}).Value(), true)
	}
	dark := call(p.window, "matchMedia", "(prefers-color-scheme: dark)")
	still := call(p.window, "matchMedia", "(prefers-reduced-motion: reduce)")
	root := get(safejs.Safe(p.doc.Underlying()), "documentElement")
	motionless := data(root, "motion") == "none"
	media := func() { p.events.Media(truthy(get(dark, "matches")), motionless || truthy(get(still, "matches"))) }
	on("click", func(e, target safejs.Value) {
		media() // the browser reports a change only before the next painting
		if el := closest(target, "[data-act]:not(input,select)"); truthy(el) {
			p.events.Act(data(el, "act"), data(el, "arg"), placeOf(target))
		}
	})
	on("change", func(e, target safejs.Value) {
		if text(get(target, "id")) == "file" {
			p.take(get(target, "files"))
			set(target, "value", "")
			return
		}
		// Texts and filters have told of it when they were typed. By now the model may have another value, which isn't painted yet.
		if kind := text(get(target, "type")); data(target, "act") != "" && kind != "textarea" && kind != "search" {
			value := text(get(target, "value"))
			if text(get(target, "type")) == "checkbox" {
				value = "false"
				if truthy(get(target, "checked")) {
					value = "true"
				}
			}
			p.events.Act(data(target, "act"), data(target, "arg"), value)
		}
	})
	on("input", func(_, target safejs.Value) { // a filter works while it is typed
		if text(get(target, "type")) == "textarea" && data(target, "act") != "" { // and so does a text; it tells the line that is written
			value := text(get(target, "value"))
			p.events.Act(data(target, "act"), strconv.Itoa(lineAt(value, integer(get(target, "selectionStart")))), value)
			return
		}
		if kind := text(get(target, "type")); kind == "search" || kind == "range" { // what is pulled shows what it does
			p.events.Act(data(target, "act"), data(target, "arg"), text(get(target, "value")))
		}
	})
	on("keydown", func(e, target safejs.Value) {
		ctrl, alt := truthy(get(e, "ctrlKey")) || truthy(get(e, "metaKey")), truthy(get(e, "altKey"))
		if truthy(call(e, "getModifierState", "AltGraph")) { // it writes characters, such as [ on a German keyboard
			ctrl, alt = false, false
		}
		command := ctrl || alt
		typing := truthy(closest(target, "input:not([type=checkbox]),textarea,select,[contenteditable]"))
		key := text(get(e, "key"))
		if text(get(target, "type")) == "number" && len(key) == 1 && strings.Contains("abcdfghijklmnopqrstuvwxyz", key) {
			typing = false // no letter but the exponent's is a part of a number
		}
		if truthy(closest(target, "[data-listens]")) { // the viewer chooses a key for a command
			if p.events.Key(key, truthy(get(e, "shiftKey")), ctrl, alt, false, "") {
				call(e, "preventDefault")
			}
			return
		}
		if el := closest(target, "[data-enter]"); truthy(el) && !command && (key == "Enter" || key == "ArrowUp" || key == "ArrowDown" || key == "Escape") {
			call(e, "preventDefault")
			p.events.Enter(data(el, "enter"), key, text(get(target, "value")))
			return
		}
		if tab := closest(target, "[role=tab]"); truthy(tab) && !command && p.chooseTab(tab, key) {
			call(e, "preventDefault")
			return
		}
		// A focused button gets Space and Enter itself, as on every page.
		if (key == " " || key == "Enter") && truthy(closest(target, "button,a,summary,[role=tab],input")) {
			return
		}
		if p.events.Key(key, truthy(get(e, "shiftKey")), ctrl, alt, typing, placeOf(target)) {
			call(e, "preventDefault")
		}
	})
	on("cancel", func(e, target safejs.Value) { // Escape in a dialog: the model closes it
		call(e, "preventDefault")
		p.events.Act("close", "", "")
	})
	if p.Embedded() {
		p.listenForOffers()
	} else {
		p.listenForFiles(on)
	}
	p.listenToTimeline(on)
	p.listenToBrowser(on)
	p.History.listen()
	changed := function(func([]safejs.Value) any { media(); return nil }).Value()
	call(dark, "addEventListener", "change", changed)
	call(still, "addEventListener", "change", changed)
	media()
}

// placeOf returns the place of the stage at which an element stands, "" for none.
func placeOf(target safejs.Value) string {
	if el := closest(target, "[data-place]"); truthy(el) {
		return data(el, "place")
	}
	return ""
}

// lineAt returns the line of a text, from 1, in which the character number n stands. The browser counts
// in UTF-16.
func lineAt(text string, n int) int {
	line := 1
	for _, r := range text {
		if n <= 0 {
			break
		}
		if n--; r > 0xffff {
			n--
		}
		if r == '\n' {
			line++
		}
	}
	return line
}

// chooseTab chooses the tab that a key leads to from a focused one, as in every list
// of tabs. It returns false for any other key.
func (p *Page) chooseTab(tab safejs.Value, key string) bool {
	list := get(tab, "parentElement")
	first, last := get(list, "firstElementChild"), get(list, "lastElementChild")
	var goal safejs.Value
	switch key {
	case "ArrowRight":
		if goal = get(tab, "nextElementSibling"); !truthy(goal) {
			goal = first
		}
	case "ArrowLeft":
		if goal = get(tab, "previousElementSibling"); !truthy(goal) {
			goal = last
		}
	case "Home":
		goal = first
	case "End":
		goal = last
	default:
		return false
	}
	call(goal, "focus")
	p.events.Act(data(goal, "act"), data(goal, "arg"), "")
	return true
}

func (p *Page) listenForFiles(on func(string, func(e, target safejs.Value))) {
	withFiles := func(e safejs.Value) bool {
		types := get(get(e, "dataTransfer"), "types")
		return truthy(types) && truthy(call(types, "includes", "Files"))
	}
	on("dragover", func(e, _ safejs.Value) {
		if withFiles(e) {
			call(e, "preventDefault")
		}
	})
	on("dragenter", func(e, _ safejs.Value) {
		if withFiles(e) {
			call(e, "preventDefault")
			p.events.Drag(true)
		}
	})
	on("dragleave", func(e, _ safejs.Value) {
		if get(e, "relatedTarget").IsNull() {
			p.events.Drag(false)
		}
	})
	on("drop", func(e, _ safejs.Value) {
		if withFiles(e) {
			call(e, "preventDefault")
			p.events.Drag(false)
			p.drop(get(e, "dataTransfer"))
		}
	})
	on("paste", func(e, target safejs.Value) {
		clipboard := get(e, "clipboardData")
		if !truthy(clipboard) || truthy(closest(target, "input,textarea,[contenteditable]")) {
			return
		}
		if files := get(clipboard, "files"); integer(get(files, "length")) > 0 {
			call(e, "preventDefault")
			p.take(files)
			return
		}
		blob := construct(p.window, "Blob", []any{call(clipboard, "getData", "text/plain")})
		if integer(get(blob, "size")) == 0 {
			return
		}
		call(e, "preventDefault")
		p.keep([]any{blob}, "", int64(float(get(blob, "size"))))
	})
}

// listenForOffers takes the traces that the page around this one sends.
func (p *Page) listenForOffers() {
	call(p.embed, "listen", function(func(args []safejs.Value) any {
		p.hold([]any{args[0]})
		p.events.Offer(text(args[1]), int64(float(args[2])), int64(float(args[3])), text(args[4]))
		return nil
	}).Value())
}

func (p *Page) take(files safejs.Value) {
	n := integer(get(files, "length"))
	if n == 0 {
		return
	}
	var all []any
	var size int64
	name := text(get(index(files, 0), "name"))
	for i := range n {
		f := index(files, i)
		all = append(all, f)
		size += int64(float(get(f, "size")))
	}
	if n > 1 {
		name += " + " + strconv.Itoa(n-1)
	}
	p.keep(all, name, size)
}

func (p *Page) keep(files []any, name string, size int64) {
	p.hold(files)
	p.events.Files(name, size)
}

func (p *Page) hold(files []any) {
	list := construct(p.window, "Array")
	for _, f := range files {
		call(list, "push", f)
	}
	p.files = list
	p.chosen = append(p.chosen, list)
	if old := len(p.chosen) - maxChosen; old >= 0 {
		p.chosen[old] = safejs.Value{} // it may be large, if it was pasted
	}
}

func (p *Page) listenToTimeline(on func(string, func(e, target safejs.Value))) {
	dragging := safejs.Null()
	at := func(e safejs.Value) float64 {
		r := call(dragging, "getBoundingClientRect")
		return min(max((float(get(e, "clientX"))-float(get(r, "left")))/max(float(get(r, "width")), 1), 0), 1)
	}
	on("pointerdown", func(e, target safejs.Value) {
		if el := closest(target, "[data-scrub]"); truthy(el) && integer(get(e, "button")) == 0 {
			dragging = el
			call(el, "setPointerCapture", get(e, "pointerId"))
			p.events.Scrub(at(e), true)
		}
	})
	on("pointermove", func(e, _ safejs.Value) {
		if truthy(dragging) {
			p.events.Scrub(at(e), true)
		}
	})
	end := func(e, _ safejs.Value) {
		if truthy(dragging) {
			f := at(e)
			dragging = safejs.Null()
			p.events.Scrub(f, false)
		}
	}
	on("pointerup", end)
	on("pointercancel", end)
}

func (p *Page) listenToBrowser(on func(string, func(e, target safejs.Value))) {
	call(p.window, "addEventListener", "pagehide", function(func([]safejs.Value) any { p.events.Leave(); return nil }).Value())
	on("visibilitychange", func(_, _ safejs.Value) { p.events.Hidden(truthy(get(safejs.Safe(p.doc.Underlying()), "hidden"))) })
	size := func() { p.events.Size(integer(get(p.window, "innerWidth")), integer(get(p.window, "innerHeight"))) }
	call(p.window, "addEventListener", "resize", function(func([]safejs.Value) any { size(); return nil }).Value())
	size()
}

// maxChosen is how many choices of files are kept, for Back and Forward.
const maxChosen = 12

// Rechoose chooses the files of choice n again. If under is true, it puts them before the files of the last choice;
// if path isn't "", it puts this version's own file at that path before them.
func (p *Page) Rechoose(n int, under bool, path string) {
	switch {
	case n >= len(p.chosen):
	case under:
		call(p.scope, "layOver", path, safejs.Unsafe(p.chosen[n]), safejs.Unsafe(p.files))
	default:
		p.files = p.chosen[n]
	}
}

func closest(target safejs.Value, selector string) safejs.Value {
	if v, err := target.Call("closest", selector); err == nil {
		return v
	}
	return safejs.Null() // the document itself has no closest
}

func data(element safejs.Value, name string) string {
	if v, err := element.Call("getAttribute", "data-"+name); err == nil && !v.IsNull() {
		return text(v)
	}
	return ""
}
