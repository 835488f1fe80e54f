// Package address reads and writes the fragment of the page's address: what is open, and where
// the viewer is in it. A link is such a fragment, and so is what is kept over a reload.
//
// A fragment is a list of fields, as in #lesson=delta-fifo&at=added. A text that is too long
// for a link is packed: #s1: is followed by the base64url of its deflate. The number is the
// version of the packing.
//
// Anyone can write a link. So what Read returns holds nothing but names and paths that can only
// lead to files of this site, and texts that are bounded.
package address

import (
	"errors"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// Address is what a fragment says.
type Address struct {
	Source Source // what is open; if it is zero, the page's own recording is

	Moment   string   // the moment of a lesson, by its label or its number
	Chosen   []string // the lines of a lesson's script in which the reader has chosen another value
	Draft    string   // what stands in the editor of the lesson, "" while that isn't open
	Informer string   // the resource of the informer that is shown
	Profile  string   // the version of client-go, as world.ProfileFor takes it
	Setup    *link.Setup
	Recorded bool            // the process is the one that the page chooses for the recording: see LegacySetup
	Listed   bool            // as a Setup's, which doesn't have it here
	Steps    []link.PathStep // what was done, and where the viewer is

	Follow string  // the key whose steps are visited
	Object Version // the object that is inspected
	Tab    string  // of the inspector
	Unit   string
	Axis   string
	Search string   // the expression that is searched or plotted
	Stops  []string // the expressions at which playing stops
	Page   Page

	Second link.Second // what the machine shown is compared with, nil for nothing
	Files  int         // the number of the choice of files that is the capture of Beside, 0 where that isn't known; no fragment has it

	Strange bool // there are fields that this version of the page doesn't know
}

// Source is what is open. At most one of its fields but Size says so.
type Source struct {
	Loop    bool   // the loop; At is the number of the beat, "" for the first
	Lesson  string // the name of a lesson of the course
	Script  string // the text of a script or of a lesson
	Capture string // the text of a trace
	Library string // the name of a script that the page brings along
	Trace   string // the name of a recording that the page brings along, without its extension
	URL     string // the path of a file of this site, below the page's folder
	File    string // the name of a file that only the viewer has
	Pasted  bool   // the viewer has pasted it, so it has no name
	Size    int64  // of File, in bytes, 0 where that isn't known
}

// Version is a version of an object, by the object's key and its own resourceVersion.
type Version struct{ Key, RV string }

// Page is how the page shows it.
type Page struct {
	Lang string
	Card bool   // the capture's report card is shown
	Path string // the way through the course on which its lesson is read, "" for all of it
}

const card = "card"

// The limits of a fragment. Texts are counted in bytes.
const (
	MaxText  = 1 << 20 // of a fragment, unpacked
	MaxName  = 512     // of a key, a name, a path or an expression
	MaxAsks  = 32
	maxSteps = 10_000
	maxShort = 800 // of a fragment that isn't packed
)

// MaxLink is the length up to which a link is worth giving to somebody. Some programs cut longer ones.
const MaxLink = 30_000

// Why a fragment can't be read. The page's catalogues have a sentence for each.
var (
	ErrBroken = errors.New("the link is damaged")
	ErrNewer  = errors.New("the link was made by a newer version of the page")
	ErrLong   = errors.New("the link is too long")
	ErrLesson = errors.New("there is no such lesson")
	ErrPath   = errors.New("the link leads to something that isn't a file of this site")
)

const (
	packed   = "#s1:"
	versions = "#s" // a number and a colon follow
)

// Packed returns the packed data of a fragment, and whether the fragment is a packed one.
func Packed(fragment string) (data string, is bool, err error) {
	data, is = strings.CutPrefix(fragment, packed)
	if !is {
		number, _, more := strings.Cut(strings.TrimPrefix(fragment, versions), ":")
		if _, bad := strconv.Atoi(number); more && bad == nil && strings.HasPrefix(fragment, versions) {
			return "", true, ErrNewer
		}
		return "", false, nil
	}
	if len(data) > MaxText {
		return "", true, ErrLong
	}
	for i := range len(data) {
		if c := data[i]; c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return "", true, ErrBroken
		}
	}
	return data, true, nil
}

// Pack returns the fragment of packed data.
func Pack(data string) string { return packed + data }

// IsShort reports whether a fragment is left as it is.
func IsShort(fragment string) bool { return len(fragment) <= maxShort }

// IsFile reports whether s is a file that only the viewer has.
func (s *Source) IsFile() bool { return s.File != "" || s.Pasted }

// Opens reports whether a says what is to be opened.
func (a *Address) Opens() bool { return a.Source != Source{} }

// String writes the fragment, with its "#"; "" for an Address that says nothing.
func (a *Address) String() string {
	var w writer
	if a.Source.Loop {
		if w.text("loop", a.Moment); a.Moment == "" {
			w.b.WriteString("loop")
		}
		a = &Address{Page: Page{Lang: a.Page.Lang}} // it has nothing else
	}
	w.text("lesson", a.Source.Lesson)
	w.text("script", a.Source.Script)
	w.text("capture", a.Source.Capture)
	w.text("library", a.Source.Library)
	w.text("trace", a.Source.Trace)
	w.text("url", a.Source.URL)
	w.text("file", a.Source.File)
	if a.Source.Pasted {
		w.text("file", " ")
	}
	w.number("size", a.Source.Size, 0)
	w.text("path", a.Page.Path)
	w.text("at", a.Moment)
	for _, line := range a.Chosen {
		w.text("choose", line)
	}
	w.text("draft", a.Draft)
	w.text("informer", a.Informer)
	w.text("profile", a.Profile)
	if a.Listed {
		w.text("lists", recorded)
	}
	if a.Recorded {
		w.text("handlers", recorded)
	}
	w.setup(a.Setup)
	for _, p := range a.Steps {
		w.text("when", p.Moment)
		w.number("step", p.Step, -1)
		w.text("do", p.Line)
	}
	w.text("follow", a.Follow)
	w.text("object", a.Object.Key)
	w.text("rv", a.Object.RV)
	w.text("tab", a.Tab)
	w.text("unit", a.Unit)
	w.text("axis", a.Axis)
	w.text("search", a.Search)
	for _, ask := range a.Stops {
		w.text("ask", ask)
	}
	if a.Page.Card {
		w.text("view", card)
	}
	w.text("lang", a.Page.Lang)
	w.second(a.Second)
	if w.b.Len() == 0 {
		return ""
	}
	return "#" + w.b.String()
}

// IsFragment reports whether a text looks like a fragment that was saved as a file.
func IsFragment(text string) bool {
	rest, is := strings.CutPrefix(text, "#")
	name, _, ok := strings.Cut(rest, "=")
	return is && ok && isSource(name)
}

func isSource(name string) bool {
	switch name {
	case "loop", "lesson", "script", "capture", "library", "trace", "url", "file":
		return true
	}
	return false
}

type writer struct{ b strings.Builder }

func (w *writer) text(name, value string) {
	if value == "" {
		return
	}
	if w.b.Len() > 0 {
		w.b.WriteByte('&')
	}
	w.b.WriteString(name)
	w.b.WriteByte('=')
	escape(&w.b, value)
}

// number writes a number, unless n is usual, which is meant where no number is written.
func (w *writer) number(name string, n, usual int64) {
	if n != usual {
		w.text(name, strconv.FormatInt(n, 10))
	}
}

const hex = "0123456789ABCDEF"

// escape writes text in those characters alone that stay as they are when programs pass a link on.
func escape(b *strings.Builder, text string) {
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ':
			b.WriteByte('+')
		case c >= '0' && c <= '9', c|0x20 >= 'a' && c|0x20 <= 'z', strings.IndexByte("-._~/:@,;=", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
}
