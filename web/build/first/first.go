// Package first makes what a first visit sees before the program runs: the loop, with its story at its beginning. The session, the host and the view make it, as they do in the browser, so it is what the
// program draws in its place later.
package first

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/host"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/view"
)

var errNothing = errors.New("the program waits, and shows no step")

// visit is a first visit, as far as its first step. What the host asks of a browser after that isn't there.
type visit struct {
	browser.Browser
	files   map[string][]byte
	host    *host.Host
	model   *session.Model
	waiting []session.Msg
	turns   []func()
	failed  error
}

// Page returns the page, and the attributes of the document's root element. Files are those that the page is served.
func Page(files map[string][]byte) (html string, root map[string]string, err error) {
	v := &visit{files: files, model: session.New("", "", -1)}
	v.host = host.New(v)
	v.waiting = []session.Msg{session.Preferred{}, session.Started{}}
	for !v.model.Ready() {
		switch {
		case v.failed != nil:
			return "", nil, v.failed
		case len(v.waiting) > 0:
			m := v.waiting[0]
			v.waiting = v.waiting[1:]
			cmds := v.model.Update(m)
			for _, c := range cmds {
				v.run(c)
			}
		case len(v.turns) > 0:
			f := v.turns[0]
			v.turns = v.turns[1:]
			f()
		default:
			return "", nil, errNothing
		}
	}
	if v.model.Open.Failure != nil {
		return "", nil, fmt.Errorf("the page shows %s", v.model.Open.Failure.Sentence.ID)
	}
	var drawn view.View
	page, root := drawn.Page(v.model)
	return page.HTML(), root, nil
}

// run does what the session asks for until the first step is there.
func (v *visit) run(c session.Cmd) {
	switch c := c.(type) {
	case desk.Send:
		v.host.Handle(c.Request.Encode(), nil)
	case session.Painted:
		v.Later(func() { v.host.Handle((&link.Request{Op: link.Painted{}}).Encode(), nil) })
	case session.Speak:
		var words map[string]string
		if err := json.Unmarshal(v.files["locales/"+c.Lang+".json"], &words); err != nil {
			v.failed = err
		}
		v.waiting = append(v.waiting, session.Spoke{Lang: c.Lang, Words: words})
	}
}

// Send takes a reply of the host to the page.
func (v *visit) Send(reply []byte) {
	r, err := link.DecodeReply(reply)
	if err != nil {
		v.failed = err
		return
	}
	v.waiting = append(v.waiting, session.Replied{Reply: r})
}

// Later calls f when the page has nothing to say.
func (v *visit) Later(f func()) { v.turns = append(v.turns, f) }

// Complain ends the build.
func (v *visit) Complain(what string) { v.failed = errors.New(what) }

// Debug passes over what the console of a browser is told.
func (v *visit) Debug(string) {}

// Now returns a clock that stands: the build gives the same page each time.
func (v *visit) Now() int64 { return 0 }

// Fetch returns a file.
func (v *visit) Fetch(url string) browser.Input { return &file{visit: v, content: v.files[url]} }

// After never calls f: the clock stands.
func (v *visit) After(int64, func()) (stop func()) { return func() {} }

// file is a file of the page.
type file struct {
	browser.Stored
	visit   *visit
	content []byte
}

// Size returns no size, since an address does not tell it.
func (f *file) Size() int64 { return 0 }

// Stream hands over all of it.
func (f *file) Stream(chunk func([]byte, int64), end func(error)) (cancel func()) {
	f.visit.Later(func() {
		chunk(f.content, int64(len(f.content)))
		end(nil)
	})
	return func() {}
}

// Hold keeps nothing back.
func (f *file) Hold(bool) {}

// empty is how index.html begins, and where the page comes.
var empty = [2]string{`<html lang="en">`, `<div id="app"></div>`}

// programs are attributes that tell that the program has drawn a step. Tests wait for them, and so does "informerscope open --picture".
var programs = []string{"data-arrived", "data-ready", "data-step"}

// Insert puts the page into index.html. The root element's attribute data-first says so, and names the languages that
// have another page: web/page/first.js.
func Insert(document []byte, page string, root map[string]string) ([]byte, error) {
	var others []string
	for _, l := range session.Languages[1:] {
		others = append(others, l.Code)
	}
	begin := `<html data-first="` + strings.Join(others, " ") + `"`
	for _, name := range slices.Sorted(maps.Keys(root)) {
		if !slices.Contains(programs, name) {
			begin += " " + name + `="` + html.EscapeString(root[name]) + `"`
		}
	}
	for i, full := range [2]string{begin + ">", `<div id="app">` + page + `</div>`} {
		if bytes.Count(document, []byte(empty[i])) != 1 {
			return nil, fmt.Errorf("index.html has not one %s", empty[i])
		}
		document = bytes.Replace(document, []byte(empty[i]), []byte(full), 1)
	}
	return document, nil
}
