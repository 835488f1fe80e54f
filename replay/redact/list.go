package redact

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
)

//go:embed list.txt
var listText string

// row is a row of list.txt: a head, and what has it.
type row struct {
	head  string
	words []string
}

// sections are list.txt's, by their names.
var sections = func() map[string][]row {
	all := map[string][]row{}
	section := ""
	for line := range strings.Lines(listText) {
		head, words, _ := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		switch rows := all[section]; {
		case head == "" || head[0] == '#':
		case head[0] == '[':
			section = strings.Trim(head, "[]")
		case head[0] == ' ':
			last := &rows[len(rows)-1]
			last.words = append(last.words, strings.Fields(line)...)
		default:
			all[section] = append(rows, row{head, strings.Fields(words)})
		}
	}
	return all
}()

// place is a place of the list: what stays where.
type place struct {
	path  string   // fields, parted by dots; lists are passed through, and * is any field
	names []string // of the fields
	form  *form
}

// places are the paths of list.txt, by section.
var places = func() map[string][]place {
	all := map[string][]place{}
	for section, rows := range sections {
		for _, row := range rows {
			for _, path := range row.words {
				if f := forms[row.head]; f != nil {
					names, _ := parsePath(path)
					all[section] = append(all[section], place{path, names, f})
				}
			}
		}
	}
	return all
}()

// formsIn returns the forms of a section by their paths.
func formsIn(section string) map[string]*form {
	all := map[string]*form{}
	for _, p := range places[section] {
		all[p.path] = p.form
	}
	return all
}

// setsIn returns the rows of a section as sets.
func setsIn(section string) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, row := range sections[section] {
		all[row.head] = map[string]bool{}
		for _, word := range row.words {
			all[row.head][word] = true
		}
	}
	return all
}

var (
	sets, enums       = setsIn("sets"), setsIn("enumerations")
	publicKeys, words = sets["public keys"], sets["words of messages"]
)

// longestEnum is how many bytes the longest of these words has.
const longestEnum = 40

// matches reports whether a name is in a set. A * at the beginning or the end of a member stands for any text.
func matches(set map[string]bool, name string) bool {
	for like := range set {
		first, last := like[0] == '*', like[len(like)-1] == '*'
		text := strings.Trim(like, "*")
		if first && last && strings.Contains(name, text) || first && !last && strings.HasSuffix(name, text) || last && !first && strings.HasPrefix(name, text) {
			return true
		}
	}
	return false
}

// The steps of a path: .name, in which a backslash makes the next character part of the name, ["name"], and indexes, which
// stand for all elements.
var (
	step    = regexp.MustCompile(`^(?:\.((?:\\.|[^.\[\\])+\\?)|\[(?:"([^"]+)"|'([^']+)'|\*|[0-9]{1,9})\])`)
	escaped = regexp.MustCompile(`\\(.)`)
)

// parsePath reads ".a.b", "$.a[*].b" and `.a["b.c"]`, and returns the names of the fields.
func parsePath(text string) (names []string, err error) {
	rest := strings.TrimSpace(text)
	if s, ok := strings.CutPrefix(rest, "{"); ok {
		rest = strings.TrimSuffix(s, "}")
	}
	rest = strings.TrimPrefix(rest, "$")
	if rest != "" && rest[0] != '.' && rest[0] != '[' {
		rest = "." + rest
	}
	for rest != "" {
		m := step.FindStringSubmatch(rest)
		if m == nil {
			return nil, fault.Quoted("pathShape path", text)
		}
		if name := escaped.ReplaceAllString(m[1], "$1") + m[2] + m[3]; name != "" {
			names = append(names, name)
		}
		rest = rest[len(m[0]):]
	}
	if len(names) == 0 {
		return nil, fault.Plain("pathEmpty")
	}
	return names, nil
}

// node is a place in a line or an object, with what stays there. Lists are passed through.
type node struct {
	form        *form  // nil is asToken
	n           *Count // how many texts were kept or taken out
	keys        []*key // of its fields, which are below
	to          []*node
	otherFields *node // the other fields of a map whose keys stay where its values do
}

// hasForm reports whether there is a node, and it has a form.
func (x *node) hasForm(f *form) bool { return x != nil && x.form == f }

// field returns the node of a field, nil if the list has none there.
func (x *node) field(k *key) *node {
	if x == nil {
		return nil
	}
	if i := slices.Index(x.keys, k); i >= 0 {
		return x.to[i]
	}
	return x.otherFields
}

// add returns the node below x to which names lead. It makes those that aren't there.
func (x *node) add(all *keys, names ...string) *node {
	for _, name := range names {
		if name == "*" {
			if x.otherFields == nil {
				x.otherFields = &node{}
			}
			x = x.otherFields
			continue
		}
		k := all.named(name)
		i := slices.Index(x.keys, k)
		if i < 0 {
			i = len(x.to)
			x.keys, x.to = append(x.keys, k), append(x.to, &node{})
		}
		x = x.to[i]
	}
	return x
}

// readList makes the places of the list, with the paths that the user adds and takes away.
func (r *Redactor) readList() error {
	add := func(root *node, section, before string) *node {
		for _, p := range places[section] {
			x := root.add(&r.keys, p.names...)
			x.form, x.n = p.form, count(&r.retained, before+p.path)
		}
		return root
	}
	lines := "lines"
	if r.o.Report {
		lines = "reports"
	}
	r.line, r.log = add(&node{}, lines, ""), add(&node{}, "logs", "mark.")
	r.object = add(&node{form: asObject}, "objects", "")
	objects := []*node{r.object}
	for section := range sections {
		if kind, ok := strings.CutPrefix(section, "objects of "); ok {
			r.kinds[kind] = add(add(&node{form: asObject}, "objects", ""), section, kind+" ")
			objects = append(objects, r.kinds[kind])
		}
	}
	for _, p := range places["anywhere"] {
		k := r.keys.named(p.names[0])
		if k.anywhere == nil {
			k.anywhere = &node{}
		}
		x := k.anywhere.add(&r.keys, p.names[1:]...)
		x.form, x.n = p.form, count(&r.retained, "*."+p.path)
	}
	why := r.line.add(&r.keys, "problem", "why") // it may have another within
	args := why.add(&r.keys, "args")
	args.keys, args.to = append(args.keys, r.keys.named("why")), append(args.to, why)
	for i, path := range slices.Concat(r.o.Keep, r.o.Paths) {
		names, err := parsePath(path)
		if err != nil {
			return err
		}
		f, counts := asIs, &r.retained
		if i >= len(r.o.Keep) {
			f, counts = asNothing, &r.removed
		}
		for _, o := range objects {
			x := o.add(&r.keys, names...)
			x.form, x.n = f, count(counts, path)
		}
	}
	return nil
}

// key is the name of a field.
type key struct {
	text     string // with its quotes, as it stands in the line
	name     string
	folded   string // in small letters, without what parts its words
	word     bool   // it has the form of the fields of kinds
	public   bool   // it is a label's or an annotation's key of Kubernetes itself
	time     bool   // the field has a time
	users    bool   // the field has a map whose keys users choose
	enum     map[string]bool
	anywhere *node // what stays in such a field anywhere
	next     *key  // the name that followed it last

	// What it is to an owner.
	hides                      hides // what a value under it is
	data, env, envFile, copies bool
	describes                  bool // it tells what the field value beside it has
}

// maxKeys is how many names of fields are remembered, and longestKey how many bytes the longest of them has.
const (
	maxKeys    = 1 << 14
	longestKey = 256
)

// keys are the names of fields that were met.
type keys struct {
	known map[string]*key
	last  *key
}

// find returns what is known of a name in its quotes. Fields mostly follow each other as they did before.
func (x *keys) find(quoted []byte) *key {
	if x.last.next != nil && string(quoted) == x.last.next.text {
		x.last = x.last.next
		return x.last
	}
	k := x.known[string(quoted)]
	if k == nil {
		k = newKey(quoted)
		if len(x.known) < maxKeys && len(quoted) <= longestKey {
			x.known[k.text] = k
		}
	}
	x.last.next, x.last = k, k
	return k
}

// named returns what is known of a name.
func (x *keys) named(name string) *key { return x.find(quote(nil, []byte(name))) }

func newKey(quoted []byte) *key {
	text, _ := unquoted(nil, quoted)
	k := &key{text: string(quoted), name: string(text), folded: fold(text), word: len(text) < 64 && field.Match(text)}
	k.public, k.enum, k.users = publicKeys[k.name], enums[k.name], sets["users maps"][k.folded]
	k.time = strings.HasSuffix(k.name, "Time") || strings.HasSuffix(k.name, "Timestamp") || sets["times"][k.name]
	k.hides = hidesBy(k.name, k.folded)
	k.data, k.describes = sets["secret data"][k.folded], sets["sayers"][k.folded]
	k.env, k.envFile, k.copies = matches(sets["environments"], k.folded), strings.HasSuffix(k.name, ".env"), matches(sets["copies"], k.name)
	return k
}

// fold returns a name in small letters, without what parts its words.
func fold(name []byte) string {
	return strings.Map(func(c rune) rune {
		switch {
		case 'A' <= c && c <= 'Z':
			return c | 0x20
		case strings.ContainsRune("_-. ", c):
			return -1
		}
		return c
	}, string(name))
}

// field has the form of the fields of kinds: words whose first letters are large, except the first's, and at most one
// number of three digits.
var field = regexp.MustCompile(`^(?:[a-z][a-zA-Z]*(?:[0-9]{1,3}[a-zA-Z]*)?|x-kubernetes-[a-zA-Z0-9-]+)$`)
