package evidence

import (
	"net/url"
	"strconv"
	"strings"
)

// Site is where the page is to be had. Links lead there, and say everything behind the "#", which no server sees.
const Site = "https://informerscope.github.io/informerscope/"

// Link is an address of the page. It is made field by field; package wasm/address reads it.
type Link struct{ fields string }

// ToFile begins a link to a file that whoever follows it has. The page asks for the file, and looks at its size, which
// is 0 where it isn't known.
func ToFile(name string, size int64) *Link {
	l := (&Link{}).Add("file", name)
	if size > 0 {
		l.Add("size", strconv.FormatInt(size, 10))
	}
	return l
}

// Add adds a field, unless its value is empty, and returns l.
func (l *Link) Add(name, value string) *Link {
	if value != "" {
		if l.fields != "" {
			l.fields += "&"
		}
		l.fields += name + "=" + url.QueryEscape(value)
	}
	return l
}

// Fragment returns the part of the address that begins with "#", which fits behind the page's address wherever it is.
func (l *Link) Fragment() string { return "#" + l.fields }

// String returns the whole address.
func (l *Link) String() string { return Site + l.Fragment() }

// FileName returns the name of the trace of a test, without an extension.
func FileName(test string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' || r <= ' ' {
			return '-'
		}
		return r
	}, test)
}

// Since returns the expression of the first step that is as late as ns nanoseconds after the start.
func Since(ns int64) string { return "time() >= " + Millis(ns) + "ms" }

// Millis writes nanoseconds as milliseconds, which is how a link has them.
func Millis(ns int64) string { return strconv.FormatFloat(float64(ns)/1e6, 'f', -1, 64) }
