package ask

import (
	"sort"
	"strconv"
	"strings"
)

// Completion is what could stand at a place of an expression.
type Completion struct {
	Text     string // what is put there
	From, To int    // the offsets in bytes between which it is put
	Func     string // the name of the function, if it is one
	Detail   string // what a function is called with, and what it is; or what a name is the name of
	Help     string // a line, in English
}

// Complete returns up to most completions at an offset in bytes, those that fit best
// first. Names may have more of them than that.
func Complete(text string, offset int, n *Names, most int) []Completion {
	if offset < 0 || offset > len(text) || offset > MaxBytes {
		return nil
	}
	// What could stand here depends on the text before the word that is being written.
	from, quote := wordAt(text[:offset])
	begun := text[from:offset]
	if quote {
		begun = begun[1:]
	}
	_, _, c := parse(text[:from])
	to := offset
	for to < len(text) && (letter(text[to]) || digit(text[to])) {
		to++
	}
	b := &completing{from: from, to: to, begun: strings.ToLower(begun), max: most}
	switch {
	case c.name != nil:
		if quote && to < len(text) && text[to] == text[from] {
			b.to++
		}
		b.names(c, n)
	case quote:
	case c.member:
		b.functions(0, true)
	case c.operand:
		b.functions(c.typ, false)
		for i, x := range n.Informers {
			if len(n.Informers) > 1 {
				b.add(Completion{Text: receiver(x), Detail: "informer", Help: "the informer " + strconv.Itoa(i+1)})
			}
		}
		if c.typ == Bool || c.typ == 0 {
			b.add(Completion{Text: "true", Detail: "bool"})
			b.add(Completion{Text: "false", Detail: "bool"})
		}
		if c.typ == Duration {
			b.add(Completion{Text: "1s", Detail: "duration"})
		}
	default:
		b.signs(c)
	}
	sort.SliceStable(b.found, func(i, j int) bool { return b.rank[b.found[i].Text] < b.rank[b.found[j].Text] })
	return b.found[:min(len(b.found), most)]
}

// receiver returns how an informer is written before a function.
func receiver(name string) string {
	for i := range len(name) {
		if !letter(name[i]) && (i == 0 || !digit(name[i])) {
			return "informer(" + Quote(name) + ")."
		}
	}
	return name + "."
}

// wordAt returns where the word begins that a text ends with, and whether it is a string.
func wordAt(text string) (from int, quote bool) {
	for i := 0; ; {
		t, err := nextToken(text, i)
		switch {
		case t.open:
			return t.pos, true
		case err != nil, t.kind == tokEnd:
			return len(text), false
		case t.end == len(text) && t.kind == tokName:
			return t.pos, false
		}
		i = t.end
	}
}

type completing struct {
	from, to int
	begun    string // in small letters
	max      int
	found    []Completion
	rank     map[string]int
}

// add adds a completion if it contains what was begun. Those that begin with it go first.
func (b *completing) add(c Completion) {
	i := strings.Index(strings.ToLower(strings.TrimLeft(c.Text, `"`)), b.begun)
	if i < 0 || b.begun != "" && strings.TrimLeft(c.Text, `"`) == b.begun {
		return
	}
	if b.rank == nil {
		b.rank = map[string]int{}
	}
	b.rank[c.Text] = min(i, 1)
	c.From, c.To = b.from, b.to
	b.found = append(b.found, c)
}

func (b *completing) functions(t Type, member bool) {
	for i := range functions {
		f := &functions[i]
		if t != 0 && f.result != t && (t != Bool || f.result == String) || member && f.alone {
			continue // a bool may begin with a number that is compared
		}
		text := f.name + "("
		if len(f.params) == 0 {
			text += ")"
		}
		b.add(Completion{Text: text, Func: f.name, Detail: f.form() + " " + f.result.String(), Help: f.help})
	}
}

func (b *completing) names(c expectation, n *Names) {
	names := c.name.known()
	switch c.name.kind {
	case keyName:
		names = n.Keys
	case handlerName:
		names = n.Handlers
	case informerName:
		names = n.Informers
	case durationName:
		names = []string{"10ms", "1s", "1m"}
	case quantile:
		b.add(Completion{Text: "0.5", Detail: "quantile"})
		b.add(Completion{Text: "0.99", Detail: "quantile"})
	}
	for _, x := range names {
		if len(b.found) < 4*b.max { // enough to choose the best from
			b.add(Completion{Text: Quote(x), Detail: string(c.name.noun())})
		}
	}
	if c.name.optional {
		b.add(Completion{Text: ")"})
	}
}

func (b *completing) signs(c expectation) {
	signs := c.signs
	if c.sign {
		switch c.typ {
		case Bool:
			signs = append([]string{"&&", "||", "=="}, signs...)
		case Number, Duration:
			signs = append([]string{">", ">=", "<", "<=", "==", "!=", "+", "-"}, signs...)
		case String:
			signs = append([]string{"==", "!=", "in"}, signs...)
		}
	}
	for _, s := range signs {
		b.add(Completion{Text: s})
	}
}

// Line is a line of help: what is written, and what it means. Name is the function's name,
// if the line is about a function.
type Line struct{ Form, Meaning, Name string }

// Section is a part of the page of help.
type Section struct {
	Title string
	Lines []Line
}

// Help returns the language on one page.
func Help() []Section {
	all := []Section{
		{"An expression says something of each step of a run", []Line{
			{`"default/web" 'audit'`, "a string, and every name: of a key, a handler, a lock", ""},
			{`1000   10ms   1m30s`, `a number, a duration; duration("10ms") is the same`, ""},
			{`behind("audit") > 1000`, "< <= > >= == != compare two values; + and - add and subtract numbers and durations", ""},
			{`actor() in ["loop", "run"]`, "one of several values", ""},
			{`pop() && !synced()`, "! is not, && is and, || is or; operators and precedence are CEL's, and durations are written 10ms", ""},
			{`delta("", "default/web")`, `arguments in brackets below may be left out; "" stands for any, too`, ""},
			{`pods.depth()`, `where there are several informers, the one that is meant; informer("deployments.apps").depth() if its name has a dot`, ""},
		}},
	}
	for _, g := range groups {
		s := Section{Title: g}
		for i := range functions {
			if f := &functions[i]; f.group == g {
				s.Lines = append(s.Lines, Line{f.form() + " " + f.result.String(), f.help, f.name})
			}
		}
		all = append(all, s)
	}
	return append(all, Section{"Examples", examples})
}

var examples = []Line{
	{`behind("audit") > 1000`, "where audit is more than 1000 notifications behind", ""},
	{`delta("Deleted", "default/web")`, "where a Deleted is queued for default/web", ""},
	{`relist("expired")`, "where a list is asked for because of a 410", ""},
	{`version("default/web") != seen("audit", "default/web")`, "where the cache has another version than audit saw last", ""},
	{`within(1s, relist(), call("audit", "OnDelete"))`, "where audit hears of a deletion within a second of a relist, or the other way round", ""},
	{`before(call("audit"), synced())`, "where audit is called before HasSynced", ""},
	{`!staleReconcile(1s)`, "an invariant: no reconcile begins with an older version than was written within a second before", ""},
	{`behind("audit") <= 1000`, "an invariant: audit is never further behind", ""},
}
