// Package fault makes errors that can be said in any language: an error has an id and named
// arguments from where it is made.
//
// The sentences are not beside the ids but in the catalogues of web/locales, under "error."
// and the id, as the page's other words are. english.txt has the sentences of en.json, so Error reads
// as a sentence on the command line; a test in wasm/view/words compares the two, and all ids and
// names that the tree uses with all catalogues. The page's program is built with the tag
// page and without english.txt: it has the catalogue of its language.
//
// There are hundreds of errors in a program that is weighed, so making one costs little
// code: a Plain is a constant, and what has one argument is made by a call with two texts.
//
// The package is a leaf: it knows neither the engine nor a format. It stands in the engine
// because the engine imports nothing outside of itself, and replay may import it as it may
// import engine/object.
package fault

import (
	"slices"
	"strconv"
	"strings"
)

// Plain is an error without arguments: its id. It can be a constant.
//
// The sentence of a Plain may be only a part of others, such as "duration".
type Plain string

// filled is an error with arguments.
type filled struct {
	text string // as New takes it
	args []any
}

// New returns an error with arguments. Its text is an id and the names of the arguments,
// with spaces between them: "noProfile name first last". The args are strings, ints, int64s
// and errors, in the order of the names. An argument that is an error is said in the
// language of the whole sentence.
func New(text string, args ...any) error { return &filled{text, args} }

// Named returns an error with one argument.
func Named(text, arg string) error { return New(text, arg) }

// Quoted returns an error with one argument, which stands in quotation marks.
func Quoted(text, arg string) error { return New(text, strconv.Quote(arg)) }

// Unknown returns an error that quotes a name which is none of the known ones. It says which of
// them can be meant, as [Want] does.
func Unknown(text, name string, known []string) error { return Want(Quoted(text, name), name, known) }

// Want adds the known names to why, which says that a name is unknown. The nearest one comes first. If there are more than
// twelve names, Want adds the nearest one alone. If there are more than twenty and none is near, it adds some that begin as
// name does.
func Want(why error, name string, known []string) error {
	const short, most = 12, 20
	near := nearest(name, known)
	switch {
	case len(known) == 0:
		return why
	case near >= 0 && len(known) > short:
		return New("orMeant why nearest", why, known[near])
	case near > 0:
		known = slices.Concat(known[near:near+1], known[:near], known[near+1:])
	case len(known) > most:
		known = append(beginLike(name, known, short), "…")
	}
	return New("wantOne why names", why, strings.Join(known, ", "))
}

// beginLike returns at most so many of the names: those that share the longest beginning with name.
func beginLike(name string, names []string, most int) (some []string) {
	for i := len(name); len(some) == 0; i-- {
		for _, n := range names {
			if len(n) >= i && strings.EqualFold(n[:i], name[:i]) && len(some) < most {
				some = append(some, n)
			}
		}
	}
	return some
}

// nearest returns the place of the name that word may stand for, or -1 if none is near.
func nearest(word string, names []string) int {
	near, least := -1, 3 // more than two letters are another word
	for i, name := range names {
		if d := distance(strings.ToLower(word), strings.ToLower(name)); d < least && d < len(name)-1 {
			near, least = i, d
		}
	}
	return near
}

// distance returns how many letters must be added, removed or replaced to make one word of another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0]++
		for j := range len(b) {
			d := before
			if a[i] != b[j] {
				d++
			}
			before = row[j+1]
			row[j+1] = min(d, row[j]+1, before+1)
		}
	}
	return row[len(b)]
}

// Number returns an error with one argument.
func Number(text string, arg int64) error { return New(text, strconv.FormatInt(arg, 10)) }

// Wrap returns an error that wraps another one, which is its argument.
func Wrap(text string, arg error) error { return New(text, arg) }

// English is the name of the argument that Written adds.
const English = "english"

// Written returns an error that was written down as Describe tells it: its id, the names of its
// args with spaces between them, and the args. Text is what it said to whoever wrote it down,
// and is said again where the id isn't known, as it may be younger than this program.
func Written(id, names string, args []any, text string) error {
	all := append([]string{id}, strings.Fields(names)...)
	if text != "" {
		all, args = append(all, English), append(args, text)
	}
	return &filled{strings.Join(all, " "), args}
}

// inEnglish returns the English sentence of an error. It is nil in the page's program.
var inEnglish func(error) string

// Error returns the English sentence.
func (p Plain) Error() string {
	if inEnglish == nil {
		return string(p)
	}
	return inEnglish(p)
}

// Error returns the English sentence.
func (f *filled) Error() string {
	if inEnglish == nil {
		return f.text
	}
	return inEnglish(f)
}

// Unwrap returns the arguments that are errors.
func (f *filled) Unwrap() (all []error) {
	for _, a := range f.args {
		if err, ok := a.(error); ok {
			all = append(all, err)
		}
	}
	return all
}

// Text is the id of an error that has nothing but a text, such as an error of the
// operating system, of a browser or of an API server. Its only argument has the same name.
const Text = "text"

// Describe returns the id of an error, and calls arg with the name of each of its arguments and
// either a text, which is the same in every language, or an error. An error that has a
// place, or that client-go has, too, is a type of its own with a method Fault: it is said
// as what that method returns.
func Describe(err error, arg func(name, text string, why error)) (id string) {
	for {
		switch f := err.(type) {
		case interface{ Fault() error }:
			err = f.Fault()
			continue
		case Plain:
			return string(f)
		case *filled:
			id, names, _ := strings.Cut(f.text, " ")
			for _, a := range f.args {
				var name, text string
				var why error
				name, names, _ = strings.Cut(names, " ")
				switch a := a.(type) {
				case string:
					text = a
				case int:
					text = strconv.Itoa(a)
				case int64:
					text = strconv.FormatInt(a, 10)
				case error:
					why = a
				}
				arg(name, text, why)
			}
			return id
		}
		arg(Text, err.Error(), nil)
		return Text
	}
}
