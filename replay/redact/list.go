package redact

import (
	"bytes"
	_ "embed"
	"strings"
)

//go:embed list.txt
var listText string

// row is a row of list.txt: a head, and what has it.
type row struct {
	head  string
	words []string
}

// sections are those of list.txt, by their names.
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

// kept is a place of the list: what stays where.
type kept struct {
	path string // fields, parted by dots; lists are passed through, and * is any field
	form form
}

// keptIn returns the places of a section.
func keptIn(section string) (all []kept) {
	for _, row := range sections[section] {
		for _, word := range row.words {
			all = append(all, kept{word, formNames[row.head]})
		}
	}
	return all
}

// formsIn returns the places of a section by their paths.
func formsIn(section string) map[string]form {
	all := map[string]form{}
	for _, x := range keptIn(section) {
		all[x.path] = x.form
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
	sets       = setsIn("sets")
	enums      = setsIn("enumerations")
	parameters = formsIn("parameters")
	selectable = formsIn("selectable")

	usersMaps, publicKeys = sets["users maps"], sets["public keys"]
)

// longestEnum is how many bytes the longest of these words has.
const longestEnum = 40

// node is a place in a line or an object, with what stays there. Lists are passed through.
type node struct {
	form   form
	path   string // of the row of the list, for the counts
	n      int64  // how many texts were kept
	fields []branch
	each   *node // the other fields of a map whose keys stay where its values do
	object bool  // an object of the API
	users  bool  // a map whose keys users choose, and all that it holds
	whole  bool  // goes as a whole: managedFields
}

// branch leads to a field.
type branch struct {
	key *key
	to  *node
}

// field returns the node of a field, nil if the list has none there.
func (x *node) field(k *key) *node {
	if x == nil {
		return nil
	}
	for i := range x.fields {
		if x.fields[i].key == k {
			return x.fields[i].to
		}
	}
	return x.each
}

// key is the name of a field.
type key struct {
	text   string // with its quotes, as it stands in the line
	name   string
	folded string // in small letters, without what parts its words
	word   bool   // it has the form of the fields of kinds
	public bool   // it is a label's or an annotation's key of Kubernetes itself
	time   bool   // the field has a time
	binary bool   // the field has base64
	users  bool   // see usersMaps
	enum   map[string]bool
	any    *node // what stays in such a field anywhere
	next   *key  // the name that followed it last

	// What it is to an owner.
	hides                      hides // what a value under it is
	data, env, envFile, copies bool
	says                       bool // it tells what the field value beside it has
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
func (x *keys) named(name string) *key {
	return x.find(quote(nil, []byte(name)))
}

func newKey(quoted []byte) *key {
	text, _ := plainText(nil, quoted, bytes.IndexByte(quoted, '\\') >= 0)
	k := &key{text: string(quoted), name: string(text), folded: fold(text)}
	k.word = isField(text)
	k.public = publicKeys[k.name]
	k.time = strings.HasSuffix(k.name, "Time") || strings.HasSuffix(k.name, "Timestamp") || k.name == "time" || k.name == "notBefore" || k.name == "notAfter"
	k.binary = k.name == "caBundle"
	k.users = usersMaps[k.folded]
	k.enum = enums[k.name]
	k.hides = hidesBy(k.name, k.folded)
	k.data, k.env, k.envFile, k.copies, k.says = isSecretData(k.folded), isEnv(k.folded), strings.HasSuffix(k.name, ".env"), copies(k.name), sets["sayers"][k.folded]
	return k
}

// fold returns a name in small letters, without what parts its words.
func fold(name []byte) string {
	out := make([]byte, 0, len(name))
	for _, c := range name {
		switch {
		case c-'A' < 26:
			out = append(out, c|0x20)
		case c != '_' && c != '-' && c != '.' && c != ' ':
			out = append(out, c)
		}
	}
	return string(out)
}

// isField reports whether a name has the form of a field of a kind: words whose first letters are large, but for
// the first, and at most one number of three digits.
func isField(name []byte) bool {
	digits := 0
	for i, c := range name {
		switch {
		case c-'0' < 10 && i > 0:
			if digits++; digits > 3 || name[i-1]-'0' >= 10 && digits > 1 {
				return false
			}
		case c|0x20-'a' >= 26:
			return bytes.HasPrefix(name, []byte("x-kubernetes-")) && madeOf(name, "-", 63)
		}
	}
	return len(name) > 0 && len(name) <= 63 && name[0]-'a' < 26
}

// list is the list, as places.
type list struct {
	line, object *node
	kinds        map[string]*node
	rows         []*node
}

// newList makes the list, with the paths that the user adds and takes away.
func newList(x *keys, keep, remove []path, report bool) *list {
	l := &list{line: &node{}, kinds: map[string]*node{}}
	add := func(root *node, rows []kept, prefix string) {
		for _, row := range rows {
			p, _ := parsePath(row.path)
			l.add(x, root, p.steps, row.form, prefix+row.path)
		}
	}
	if report {
		add(l.line, keptIn("reports"), "")
	} else {
		add(l.line, keptIn("lines"), "")
	}
	root := func() *node {
		o := &node{object: true}
		add(o, keptIn("objects"), "")
		return o
	}
	l.object = root()
	for section := range sections {
		if kind, ok := strings.CutPrefix(section, "objects of "); ok {
			l.kinds[kind] = root()
			add(l.kinds[kind], keptIn(section), kind+" ")
		}
	}
	for _, row := range keptIn("anywhere") {
		p, _ := parsePath(row.path)
		k := x.named(p.steps[0])
		if k.any == nil {
			k.any = &node{}
		}
		l.add(x, k.any, p.steps[1:], row.form, "*."+row.path)
	}
	l.line.child(x, "event").child(x, "object").object = true
	l.line.child(x, "body").object = true
	why := l.line.child(x, "problem").child(x, "why").child(x, "args")
	why.fields = append(why.fields, branch{x.named("why"), l.line.child(x, "problem").child(x, "why")})
	for _, o := range l.objects() {
		o.child(x, "metadata").child(x, "managedFields").whole = true
		o.child(x, "metadata").child(x, "annotations").users = true
		o.child(x, "items").object = true
	}
	rows := l.kinds["Table"].child(x, "rows")
	rows.child(x, "object").object = true
	for _, p := range keep {
		l.addPath(x, p, asIs)
	}
	for _, p := range remove {
		l.addPath(x, p, asNothing)
	}
	return l
}

func (l *list) objects() []*node {
	all := []*node{l.object}
	for _, o := range l.kinds {
		all = append(all, o)
	}
	return all
}

// child returns the node of a field, which it adds if it isn't there.
func (x *node) child(names *keys, name string) *node {
	if name == "*" {
		if x.each == nil {
			x.each = &node{}
		}
		return x.each
	}
	k := names.named(name)
	for _, f := range x.fields {
		if f.key == k {
			return f.to
		}
	}
	x.fields = append(x.fields, branch{k, &node{}})
	return x.fields[len(x.fields)-1].to
}

// add adds a row.
func (l *list) add(names *keys, at *node, steps []string, f form, path string) {
	for _, s := range steps {
		at = at.child(names, s)
	}
	at.form, at.path = f, path
	l.rows = append(l.rows, at)
}

// addPath adds a user's path to what is known of all objects.
func (l *list) addPath(names *keys, p path, f form) {
	for _, o := range l.objects() {
		l.add(names, o, p.steps, f, p.text)
	}
}
