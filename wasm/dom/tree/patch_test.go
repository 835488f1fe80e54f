package tree

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mirror carries operations out on plain values, as web/page/apply.js does on
// elements.
type mirror struct {
	t       *testing.T
	strings []string
	nodes   map[uint64]*element
	root    *element
}

type element struct {
	tag, text string
	attrs     map[string]string
	kids      []*element
	parent    *element
}

func newMirror(t *testing.T) *mirror {
	m := &mirror{t: t, nodes: map[uint64]*element{}}
	m.nodes[documentID] = &element{tag: "html", attrs: map[string]string{}}
	m.root = &element{tag: "app", attrs: map[string]string{}}
	m.nodes[appID] = m.root
	return m
}

func (m *mirror) apply(b []byte) {
	m.t.Helper()
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			m.t.Fatal("the buffer ends in a number")
		}
		b = b[n:]
		return v
	}
	str := func() string { return m.strings[number()] }
	node := func() *element {
		id := number()
		if m.nodes[id] == nil {
			m.t.Fatalf("an operation is on node %d, which isn't there", id)
		}
		return m.nodes[id]
	}
	for len(b) > 0 {
		code := b[0]
		b = b[1:]
		switch code {
		case opString:
			n := number()
			m.strings, b = append(m.strings, string(b[:n])), b[n:]
		case opForget:
			m.strings = nil
		case opCreate:
			id := number()
			if m.nodes[id] != nil {
				m.t.Fatalf("an operation creates node %d, which is there already", id)
			}
			m.nodes[id] = &element{tag: str(), attrs: map[string]string{}}
		case opText:
			e := node()
			if len(e.kids) > 0 {
				m.t.Fatal("an operation sets the text of a node that has children")
			}
			e.text = str()
		case opAttr, opProp, opStyle:
			e, name := node(), str()
			e.attrs[fmt.Sprint(code, name)] = str()
		case opNoAttr:
			e := node()
			delete(e.attrs, fmt.Sprint(opAttr, str()))
		case opNoStyle:
			e := node()
			delete(e.attrs, fmt.Sprint(opStyle, str()))
		case opInsert:
			parent, e, before := node(), node(), number()
			e.leave()
			at := len(parent.kids)
			if before != 0 {
				at = slices.Index(parent.kids, m.nodes[before])
			}
			parent.kids, e.parent = slices.Insert(parent.kids, at, e), parent
		case opRemove:
			node().leave()
		case opFree:
			delete(m.nodes, number())
		case opCanvas:
			e, n := node(), number()
			e.attrs["drawing"], b = string(b[:n]), b[n:]
		case opMotion:
			number()
			number()
			for range number() {
				for range 6 {
					str()
				}
			}
		case opLit:
			for range number() {
				str()
			}
		default:
			m.t.Fatalf("the buffer has an unknown operation, %d", code)
		}
	}
}

func (e *element) leave() {
	if e.parent != nil {
		e.parent.kids = slices.DeleteFunc(e.parent.kids, func(k *element) bool { return k == e })
		e.parent = nil
	}
}

func (e *element) String() string {
	var attrs []string
	for k, v := range e.attrs {
		attrs = append(attrs, k+"="+v)
	}
	slices.Sort(attrs)
	s := e.tag + fmt.Sprint(attrs) + e.text + "("
	for _, k := range e.kids {
		s += k.String()
	}
	return s + ")"
}

// random makes a tree whose children have keys, more or less.
func random(r *rand.Rand, depth int) *Node {
	n := El([]string{"div", "span", "svg:path"}[r.IntN(3)], []string{"", "a", "b"}[r.IntN(3)])
	for _, name := range []string{"title", "data-place", "role"} {
		if r.IntN(3) == 0 {
			n.Attr(name, fmt.Sprint(r.IntN(3)))
		}
	}
	if r.IntN(4) == 0 {
		n.Style("left", fmt.Sprint(r.IntN(3)))
	}
	if r.IntN(5) == 0 {
		n.Draw([]byte{byte(r.IntN(3)), 1})
	}
	if depth == 0 || r.IntN(4) == 0 {
		n.text = []string{"", "x", "y", "a longer text"}[r.IntN(4)]
		return n
	}
	keyed := r.IntN(2) == 0
	for _, k := range r.Perm(6)[:r.IntN(7)] {
		kid := random(r, depth-1)
		if keyed {
			kid.Key(fmt.Sprint(k))
		}
		n.Add(kid)
	}
	return n
}

// Patch leaves the page as if it had been made anew, whatever was there before.
func TestPatchMakesWhatIsWanted(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		var p Patcher
		page := newMirror(t)
		for round := range 30 {
			shape := r.Uint64()
			build := func() *Node {
				root := random(rand.New(rand.NewPCG(shape, 2)), 4)
				root.tag = "main"
				return root
			}
			document := map[string]string{"data-step": fmt.Sprint(round)}
			if round%3 == 0 {
				document["lang"] = "en"
			}
			page.apply(p.Patch(build(), document, &Motion{Millis: 1, Moves: []Move{{Letter: "A", From: "a", To: "b"}}, Lit: []string{"x"}}))
			var fresh Patcher
			want := newMirror(t)
			want.apply(fresh.Patch(build(), document, nil))
			// A drawing or class once set and then dropped may stay as an empty one.
			got, expected := strings.ReplaceAll(page.root.String(), "5class= ", ""), want.root.String()
			if normal(got) != normal(expected) {
				t.Fatalf("seed %d, round %d:\n got %s\nwant %s", seed, round, got, expected)
			}
			if a, b := page.nodes[documentID].String(), want.nodes[documentID].String(); a != b {
				t.Fatalf("the document has %s, not %s", a, b)
			}
			if len(page.nodes) != len(want.nodes) {
				t.Fatalf("%d nodes are kept of %d", len(page.nodes), len(want.nodes))
			}
		}
	}
}

// normal drops what has no effect: an empty class, and a drawing on a node that
// no longer draws.
func normal(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "5class= ", ""), "5class=]", "]")
	for i := strings.Index(s, "drawing="); i >= 0; i = strings.Index(s, "drawing=") {
		s = s[:i] + s[i+len("drawing=")+2:]
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, " ]", "]"), "[ ", "[")
}

// The head of a list leaves, and no other row is touched.
func TestPopMovesNoRow(t *testing.T) {
	list := func(keys ...string) *Node {
		n := El("ol", "")
		for _, k := range keys {
			n.Add(Text("li", "", k).Key(k))
		}
		return n
	}
	var p Patcher
	page := newMirror(t)
	page.apply(p.Patch(list("a", "b", "c", "d"), nil, nil))
	second := page.root.kids[0].kids[1]
	out := slices.Clone(p.Patch(list("b", "c", "d", "e"), nil, nil))
	if n := strings.Count(string(out), string([]byte{opInsert})); n > 2 {
		t.Errorf("%d insertions for one new row: %v", n, out)
	}
	page.apply(out)
	if page.root.kids[0].kids[0] != second {
		t.Error("the row that stays is another element")
	}
	if same := p.Patch(list("b", "c", "d", "e"), nil, nil); len(same) != 0 {
		t.Errorf("where nothing changes, %d bytes go out", len(same))
	}
}

func TestStringsAreForgotten(t *testing.T) {
	var p Patcher
	page := newMirror(t)
	for i := range 3 * maxStrings / 100 {
		n := El("div", "")
		for k := range 100 {
			n.Add(Text("p", "", fmt.Sprint("text ", i*100+k)))
		}
		page.apply(p.Patch(n, nil, nil))
		if len(page.strings) > maxStrings+1000 {
			t.Fatalf("%d strings are kept", len(page.strings))
		}
	}
	if got := page.root.kids[0].kids[99].text; got != fmt.Sprint("text ", 3*maxStrings-1) {
		t.Errorf("the text set last is %q on the page", got)
	}
}

// TestKeptNodes draws nodes of earlier trees again, at other places, beside other siblings and after an
// absence. The page is as if all of it were drawn anew.
func TestKeptNodes(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		var p Patcher
		page := newMirror(t)
		var kept []*Node
		var texts []uint64 // from which each is drawn
		for i := range uint64(6) {
			texts = append(texts, seed*10+i)
			kept = append(kept, random(rand.New(rand.NewPCG(texts[i], 1)), 2))
		}
		for range 12 {
			shuffled := r.Perm(len(kept))
			others := r.Uint64()
			build := func(part func(int) *Node) *Node {
				r := rand.New(rand.NewPCG(others, 2))
				root := El("div", "")
				used := 0
				for range r.IntN(4) {
					parent := El([]string{"div", "span"}[r.IntN(2)], "")
					for range r.IntN(5) {
						if r.IntN(2) == 0 && used < len(shuffled) {
							parent.Add(part(shuffled[used]))
							used++
						} else {
							parent.Add(random(r, 1))
						}
					}
					root.Add(parent)
				}
				return root
			}
			page.apply(p.Patch(build(func(i int) *Node { return kept[i] }), nil, nil))
			want := newMirror(t)
			var fresh Patcher
			want.apply(fresh.Patch(build(func(i int) *Node { return random(rand.New(rand.NewPCG(texts[i], 1)), 2) }), nil, nil))
			if got, want := normal(page.root.String()), normal(want.root.String()); got != want {
				t.Fatalf("seed %d: the page is\n%s\nwant\n%s", seed, got, want)
			}
		}
	}
}
