package evidence

import (
	"compress/flate"
	"encoding/base64"
	"io"
	"net/url"
	"strconv"
	"strings"
)

// Site is where the page is to be had. Links lead there, and say everything behind the "#", which no server sees.
const Site = "https://informerscope.github.io/informerscope/"

// Link is an address of the page: what is opened there, and where in it. The zero value leads nowhere. Package
// wasm/address reads it.
type Link struct {
	opens  string // a field
	fields string // each with "&" before it
}

// ToFile begins a link to a file that whoever follows it has. The page asks for the file, and looks at its size, which
// is 0 where it isn't known.
func ToFile(name string, size int64) Link {
	l := Link{opens: "file=" + url.QueryEscape(name)}
	if size > 0 {
		l.opens += "&size=" + strconv.FormatInt(size, 10)
	}
	return l
}

// Serving returns the link with what the page's own server has at a path, in the place of the file.
func (l Link) Serving(path string) Link {
	l.opens = "url=" + url.QueryEscape(path)
	return l
}

// Add returns the link with another field, unless its value is empty.
func (l Link) Add(name, value string) Link {
	if value != "" {
		l.fields += "&" + name + "=" + url.QueryEscape(value)
	}
	return l
}

// Holding returns the link with a recording in our own format in the place of the file.
func (l Link) Holding(text []byte) Link {
	l.opens = "capture=" + escapes.Replace(string(text))
	return l
}

// Embeds reports whether the link holds a recording.
func (l Link) Embeds() bool { return strings.HasPrefix(l.opens, "capture=") }

// escapes are what a field's value can't have as it is.
var escapes = strings.NewReplacer("%", "%25", "&", "%26", "+", "%2B")

// Fragment returns the part of the address that begins with "#", which fits behind the page's address wherever it is.
func (l Link) Fragment() string {
	if l.opens == "" {
		return ""
	}
	return "#" + l.opens + l.fields
}

// String returns the whole address, "" for the zero Link.
func (l Link) String() string {
	text := l.Fragment()
	if text == "" {
		return ""
	}
	if l.Embeds() {
		text = pack(text)
	}
	return Site + text
}

// MaxHeld is how long a link may be that holds a recording, in bytes, where it can be clicked.
const MaxHeld = 20_000

// pack returns a fragment as package wasm/address packs it: the base64url of its deflate, behind the number of the packing.
func pack(fragment string) string {
	var b strings.Builder
	b.WriteString("#s1:")
	text := base64.NewEncoder(base64.RawURLEncoding, &b)
	z, err := flate.NewWriter(text, flate.BestCompression)
	if err != nil {
		panic(err) // the level is one that there is
	}
	io.WriteString(z, strings.TrimPrefix(fragment, "#"))
	z.Close()
	text.Close()
	return b.String()
}

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
