package redact

import (
	"bytes"
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/trace"
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

// Where words end: in free text, selectors of labels and of fields, and lines of script. What else is no letter is part
// of a word of free text: an address is one.
var (
	textEnds = func() (is [256]bool) {
		is = bytesOf(" \"'()[]{}<>,;=|`")
		for c := range ' ' {
			is[c] = true
		}
		return is
	}()
	selectorEnds = bytesOf("=!,() ")
	fieldEnds    = bytesOf("=!,")
	scriptEnds   = bytesOf(" ")
	metricEnds   = bytesOf(`{}=", `)
)

// eachWord appends s, with each of its words as f appends it. Before is what stands between the word and the one before
// it, all of it ends.
func eachWord(out, s []byte, ends *[256]bool, f func(out, before, word []byte) []byte) []byte {
	for len(s) > 0 {
		n := 0
		for ; n < len(s) && ends[s[n]]; n++ {
			if s[n] >= ' ' || s[n] == '\n' || s[n] == '\t' {
				out = append(out, s[n])
			}
		}
		before := s[:n]
		s = s[n:]
		for n = 0; n < len(s) && !ends[s[n]]; n++ {
		}
		if n > 0 {
			out = f(out, before, s[:n])
		}
		s = s[n:]
	}
	return out
}

// text appends free text in which the words stay that Kubernetes' components use, with counts of at most three digits.
// Every other word becomes its token. With numbers, they stay, too, unless they are in quotes.
func (r *Redactor) text(out, s []byte, numbers bool) []byte {
	quoted := false // what is in quotes is a name
	return eachWord(out, s, &textEnds, func(out, before, word []byte) []byte {
		quoted = quoted != (bytes.Count(before, []byte{'"'})%2 == 1)
		bare := bytes.TrimRight(word, ".:!?…")
		if len(bare) == 0 || isPlain(bare, numbers && !quoted) || isPlain(word, numbers && !quoted) {
			r.counts.words.N++
			return append(out, word...)
		}
		r.counts.tokens.N++
		return append(r.tokens.append(out, bare, spelled(bare)), word[len(bare):]...)
	})
}

// isPlain reports whether a word of free text stays.
func isPlain(word []byte, numbers bool) bool {
	if slashes := bytes.Count(word, []byte{'/'}); slashes < len(word) && len(bytes.Trim(word, decimals+"/")) == 0 {
		return len(word)-slashes <= 3 || numbers && slashes == 0 && len(word) <= 20
	}
	var room [40]byte
	if len(word) > len(room) {
		return false
	}
	lower := room[:0]
	for _, c := range word {
		if c-'A' < 26 {
			c |= 0x20
		}
		lower = append(lower, c)
	}
	return words[string(lower)]
}

// url appends the URL of a request: its path, and the parameters that the API server knows.
func (r *Redactor) url(out, url []byte) []byte {
	path, query, asks := bytes.Cut(url, []byte{'?'})
	if scheme, rest, ok := bytes.Cut(path, []byte("://")); ok {
		host, _, _ := bytes.Cut(rest, []byte{'/'})
		if path = rest[len(host):]; string(scheme) != "https" {
			scheme = []byte("http")
		}
		out = r.part(append(append(out, scheme...), "://"...), host, asToken)
	}
	out = r.path(out, string(path))
	if !asks {
		return out
	}
	out = append(out, '?')
	for i, field := range bytes.Split(query, []byte{'&'}) {
		if i > 0 {
			out = append(out, '&')
		}
		name, value, has := bytes.Cut(field, []byte{'='})
		f := r.parameters[trace.Unescape(string(name))]
		if f != nil {
			out = append(out, name...)
		} else {
			out = r.part(out, name, asToken)
		}
		if has {
			out = r.part(append(out, '='), value, cmp.Or(f, asToken))
		}
	}
	return out
}

// part appends a part of a URL that has a form.
func (r *Redactor) part(out, raw []byte, f *form) []byte {
	text := []byte(trace.Unescape(string(raw)))
	switch {
	case len(text) == 0:
		return out
	case f.writes != nil:
		return trace.AppendEscaped(out, string(f.writes(r, nil, text)))
	case f.looks == nil || !f.looks(text):
		r.counts.tokens.N++
		return r.tokens.appendName(out, text)
	case f.renames != nil && r.o.Names:
		return trace.AppendEscaped(out, string(f.renames(r, nil, text)))
	}
	return append(out, raw...)
}

// path appends a URL's path. What is none of the API server's becomes tokens.
func (r *Redactor) path(out []byte, path string) []byte {
	parts := strings.Split(path, "/")
	from := slices.IndexFunc(parts, func(s string) bool { return s == "api" || s == "apis" }) // a proxy may have put something before
	var is []*form                                                                            // the parts from there on
	if from >= 0 {
		if is = []*form{asIs, asGroup}; parts[from] == "apis" {
			is = append(is, asGroup)
		}
		rest := func() []string { return parts[min(from+len(is), len(parts)):] }
		if s := rest(); len(s) > 1 && s[0] == "watch" { // as old versions have it
			is = append(is, asIs)
		}
		if s := rest(); len(s) > 2 && s[0] == "namespaces" && s[2] != "status" && s[2] != "finalize" {
			is = append(is, asIs, asName)
		}
		is = append(is, asResource, asName, asSubresource)
	}
	for i, s := range parts {
		if i > 0 {
			out = append(out, '/')
		}
		switch {
		case from < 0 || i < from:
			out = r.part(out, []byte(s), asServerPath)
		case i-from < len(is):
			out = r.part(out, []byte(s), is[i-from])
		default:
			out = r.part(out, []byte(s), asToken)
		}
	}
	return out
}

// fieldSelector appends a selector of fields. The values of those that the list keeps stay.
func (r *Redactor) fieldSelector(out, s []byte) []byte {
	is := asToken // what the next word is, which is a value
	return eachWord(out, s, &fieldEnds, func(out, before, word []byte) []byte {
		if len(before) > 0 && bytes.IndexByte(before, ',') < 0 {
			out, is = r.part(out, word, is), asToken
			return out
		}
		if f := r.selectable[string(word)]; f != nil {
			is = f
			return append(out, word...)
		}
		is = asToken
		return r.part(out, word, asToken)
	})
}

// metric appends the name of a time series: the metric stays if it is one of Kubernetes' components', and of its
// labels the names.
func (r *Redactor) metric(out, s []byte) []byte {
	quoted := false
	return eachWord(out, s, &metricEnds, func(out, before, word []byte) []byte {
		quoted = quoted != (bytes.Count(before, []byte{'"'})%2 == 1)
		family, _, _ := strings.Cut(string(word), "_")
		if first := len(before) == 0; quoted || first && (!sets["metric families"][family] || !metricName(word)) ||
			!first && !sets["metric labels"][string(word)] && !words[strings.ReplaceAll(string(word), "_", "-")] {
			r.counts.tokens.N++
			return r.tokens.append(out, word, spelled(word))
		}
		return append(out, word...)
	})
}

var metricName, scriptWord = madeOf(120, "_:"), madeOf(512, "-./=:_,%*")

// scriptLine appends a line of script with what may stay of it: words that may be names, numbers, times and verbs.
func (r *Redactor) scriptLine(out, s []byte) []byte {
	i := 0
	return eachWord(out, s, &scriptEnds, func(out, before, word []byte) []byte {
		i += len(before)
		switch {
		case !scriptWord(word):
			return r.part(out, word, asToken)
		case i < 2 || !r.o.Names:
			return append(out, word...)
		}
		return r.renamedWord(out, word)
	})
}

// renamedWord appends a word of a script's line with the tokens of its names: KEY, OPTION=KEY or LABEL=VALUE.
func (r *Redactor) renamedWord(out, word []byte) []byte {
	name, value, both := bytes.Cut(word, []byte{'='})
	switch {
	case string(name) == "key" && both:
		return r.renamedKey(append(out, "key="...), value)
	case sets["script words"][string(name)], word[0]-'0' < 10 && !both:
		return append(out, word...)
	case !both:
		return r.renamedKey(out, word)
	}
	return r.renamedLabel(append(r.renamedLabelKey(out, name), '='), value)
}

// selector appends a selector of labels with the tokens of its names: app=web, tier in (a,b), !x.
func (r *Redactor) selector(out, s []byte) []byte {
	list := false // the next word may be one of a list
	return eachWord(out, s, &selectorEnds, func(out, before, word []byte) []byte {
		value := list && bytes.IndexByte(before, ')') < 0 || bytes.ContainsAny(before, "=(")
		list = value && (list || bytes.IndexByte(before, '(') >= 0)
		switch {
		case string(word) == "in" || string(word) == "notin":
			return append(out, word...)
		case value:
			return r.renamedLabel(out, word)
		}
		return r.renamedLabelKey(out, word)
	})
}

func (r *Redactor) renamed(out, name []byte) []byte { return r.tokens.appendName(out, name) }

// renamedKey appends an object's key with the tokens of its names.
func (r *Redactor) renamedKey(out, key []byte) []byte {
	namespace, name, both := bytes.Cut(key, []byte{'/'})
	out = r.tokens.appendName(out, namespace)
	if both {
		out = r.tokens.appendName(append(out, '/'), name)
	}
	return out
}

// renamedLabel appends the token of a label's value. Flags and numbers are no names.
func (r *Redactor) renamedLabel(out, value []byte) []byte {
	if isDigits(value, 3) || string(value) == "true" || string(value) == "false" {
		return append(out, value...)
	}
	return r.tokens.appendName(out, value)
}

// renamedLabelKey appends the token of a label's key, unless it is one of Kubernetes itself.
func (r *Redactor) renamedLabelKey(out, key []byte) []byte {
	if publicKeys[string(key)] {
		return append(out, key...)
	}
	return r.tokens.appendName(out, key)
}

// ownWord appends a name that the recorded program has chosen. Of a path, such as a caller's file's, the last
// element stays.
func ownWord(_ *Redactor, out, s []byte) []byte {
	if s[0] == '/' || bytes.Contains(s, []byte(".go:")) {
		s = s[bytes.LastIndexByte(s, '/')+1:]
	}
	return append(out, s...)
}
