//go:build js && wasm

package dom

import (
	"strings"

	"github.com/hack-pad/safejs"
)

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

// Report makes the report of a problem, of what the page knows and the browser: web/page/report.js.
func Report(release, program, states, commands string, done func(text, failed string)) {
	call(scope(), "report", release, program, states, commands, function(func(args []safejs.Value) any {
		done(text(args[0]), text(args[1]))
		return nil
	}).Value())
}

// Give lets the viewer save a text as a file.
func (p *Page) Give(s, name string) { call(p.share(), "give", s, name) }
