package first

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/session"
)

// empty is how index.html begins, and where the page comes.
var empty = [2]string{`<html lang="en">`, `<div id="app"></div>`}

// programs are attributes that tell that the program has drawn a step. Tests wait for them.
var programs = []string{"data-ready", "data-step"}

// Put puts the page into index.html. The root element's attribute data-first says so, and names the languages for which
// the page is another one: web/page/first.js.
func Put(document []byte, page string, root map[string]string) ([]byte, error) {
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
