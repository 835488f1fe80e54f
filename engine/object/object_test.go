package object

import (
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"
)

func TestSymsAreNumberedByFirstSight(t *testing.T) {
	table := NewTable(nil)
	if table.Sym("") != 0 || table.SymBytes(nil) != 0 || table.Text(0) != "" {
		t.Fatal("the empty string is not Sym 0")
	}
	for i, s := range []string{"b", "a", "c", "\x00", "a/b", "ü", strings.Repeat("x", 10_000)} {
		if got := table.Sym(s); got != Sym(i+1) {
			t.Errorf("Sym(%.10q) = %d, want %d", s, got, i+1)
		}
		if got := table.SymBytes([]byte(s)); got != Sym(i+1) {
			t.Errorf("SymBytes(%.10q) = %d, want %d", s, got, i+1)
		}
		if got := table.Text(Sym(i + 1)); got != s {
			t.Errorf("Text(%d) = %.10q, want %.10q", i+1, got, s)
		}
	}
}

func TestSymBytesKeepsNothing(t *testing.T) {
	table := NewTable(nil)
	b := []byte("default")
	s := table.SymBytes(b)
	copy(b, "xxxxxxx")
	if got := table.Text(s); got != "default" {
		t.Fatalf("the string became %q with the bytes that it was made from", got)
	}
	if table.SymBytes(b) == s {
		t.Fatal("other bytes have the same number")
	}
}

// The interner against a map, over many growths of its hash table.
func TestSymsAgainstAMap(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	table, want := NewTable(nil), map[string]Sym{}
	for range 50_000 {
		s := strconv.Itoa(rnd.Intn(20_000))
		known, ok := want[s]
		if got, found := table.LookupSym(s); found != ok || got != known {
			t.Fatalf("LookupSym(%q) = %d, %v, want %d, %v", s, got, found, known, ok)
		}
		got := table.Sym(s)
		if !ok {
			known = Sym(len(want) + 1)
			want[s] = known
		}
		if got != known {
			t.Fatalf("Sym(%q) = %d, want %d", s, got, known)
		}
	}
	for s, n := range want {
		if table.Text(n) != s {
			t.Fatalf("Text(%d) = %q, want %q", n, table.Text(n), s)
		}
	}
}

// Different hashes that fall on one slot, and equal hashes, are kept apart by
// what they stand for.
func TestHashIndexCollisions(t *testing.T) {
	var x hashIndex
	want := map[int32]uint64{}
	for id := int32(1); id <= 500; id++ {
		h := uint64(id%3) << 40 // one slot for all of them
		slot := x.find(h, func(i int32) bool { return i == id })
		if x.at(slot) != 0 {
			t.Fatalf("id %d is there before it was put", id)
		}
		x.put(slot, h, id)
		want[id] = h
	}
	for id, h := range want {
		if got := x.at(x.find(h, func(i int32) bool { return i == id })); got != id {
			t.Fatalf("found %d, want %d", got, id)
		}
	}
}

func TestKeys(t *testing.T) {
	table := NewTable(nil)
	if table.KeyText(0) != "" || table.Keys() != 1 {
		t.Fatal("key 0 is not no key")
	}
	if k := table.Key(""); k == 0 {
		t.Fatal("the empty text is no key")
	}
	k := table.Key("default/web")
	if got, ok := table.LookupKey("default/web"); !ok || got != k || table.KeyText(k) != "default/web" {
		t.Fatalf("LookupKey = %d, %v, want %d", got, ok, k)
	}
	if _, ok := table.LookupKey("default/we"); ok {
		t.Fatal("a key is there that was never made")
	}
}

func TestAddMakesKeys(t *testing.T) {
	table := NewTable(nil)
	add := func(namespace, name string) Key {
		return table.Meta(table.Add(Meta{Namespace: table.Sym(namespace), Name: table.Sym(name)})).Key
	}
	web, node := add("default", "web"), add("", "node-1")
	if table.KeyText(web) != "default/web" || table.KeyText(node) != "node-1" {
		t.Fatalf("keys %q and %q", table.KeyText(web), table.KeyText(node))
	}
	if add("default", "web") != web || add("other", "web") == web {
		t.Fatal("a key does not stand for its text")
	}
	if table.Meta(0) != (Meta{}) {
		t.Fatal("nil has a row")
	}
	if table.Len() != 5 {
		t.Fatalf("Len is %d after 4 versions, want one more than the highest Ref", table.Len())
	}
}

// The keys that a Table makes by itself are those of MetaNamespaceKeyFunc.
func TestNilKeyFuncIsMetaNamespaceKeyFunc(t *testing.T) {
	plain, given := NewTable(nil), NewTable(MetaNamespaceKeyFunc)
	for _, m := range [][2]string{{"", ""}, {"", "a"}, {"n", ""}, {"n", "a"}, {"n/a", "b"}, {"n", "a/b"}} {
		for _, table := range []*Table{plain, given} {
			table.Add(Meta{Namespace: table.Sym(m[0]), Name: table.Sym(m[1])})
		}
		r := Ref(plain.Len() - 1)
		if p, g := plain.KeyText(plain.Meta(r).Key), given.KeyText(given.Meta(r).Key); p != g {
			t.Errorf("%q: key %q, with the function %q", m, p, g)
		}
	}
}

func TestKeyFuncMayFail(t *testing.T) {
	table := NewTable(func(t *Table, m Meta) (string, bool) { return "uid:" + t.Text(m.UID), m.UID != 0 })
	if k := table.Meta(table.Add(Meta{UID: table.Sym("u1")})).Key; table.KeyText(k) != "uid:u1" {
		t.Fatalf("key %q", table.KeyText(k))
	}
	if k := table.Meta(table.Add(Meta{})).Key; k != 0 {
		t.Fatalf("key %d where the function failed", k)
	}
}

func TestRV(t *testing.T) {
	table := NewTable(nil)
	seen := map[RV]string{}
	for _, c := range []struct {
		text   string
		number uint64
		ok     bool
	}{
		{"", 0, false},
		{"0", 0, true},
		{"1", 1, true},
		{"18446744073709551615", 0, false}, // too big to be held as a number
		{"4611686018427387903", 1<<62 - 1, true},
		{"4611686018427387904", 0, false},
		{"01", 0, false}, // other text than 1, so another resourceVersion
		{"00", 0, false},
		{"+1", 0, false},
		{"-1", 0, false},
		{"1 ", 0, false},
		{"1_000", 0, false},
		{"0x10", 0, false},
		{"W/\"abc\"", 0, false},
	} {
		rv := table.RV(c.text)
		if n, ok := rv.Number(); ok != c.ok || n != c.number {
			t.Errorf("RV(%q).Number() = %d, %v, want %d, %v", c.text, n, ok, c.number, c.ok)
		}
		if got := table.RVText(rv); got != c.text {
			t.Errorf("RVText of %q is %q", c.text, got)
		}
		if table.RV(c.text) != rv {
			t.Errorf("%q is not equal to itself", c.text)
		}
		if other, taken := seen[rv]; taken {
			t.Errorf("%q and %q are equal", c.text, other)
		}
		seen[rv] = c.text
	}
	if NumberRV(7) != table.RV("7") {
		t.Error("NumberRV(7) is not RV(\"7\")")
	}
}

func FuzzRV(f *testing.F) {
	for _, s := range []string{"", "0", "007", "42", "-0", "9223372036854775807", strconv.Itoa(math.MaxInt64), "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		table := NewTable(nil)
		rv := table.RV(s)
		if got := table.RVText(rv); got != s {
			t.Fatalf("RVText(RV(%q)) = %q", s, got)
		}
		if n, ok := rv.Number(); ok && strconv.FormatUint(n, 10) != s {
			t.Fatalf("RV(%q) says it is %d", s, n)
		}
	})
}

func TestLabelSets(t *testing.T) {
	table := NewTable(nil)
	set := func(pairs ...string) (out []Label) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, Label{table.Sym(pairs[i]), table.Sym(pairs[i+1])})
		}
		return out
	}
	if table.LabelSet(nil) != 0 || len(table.LabelsOf(0)) != 0 {
		t.Fatal("the empty set is not 0")
	}
	web := table.LabelSet(set("app", "web"))
	gold := table.LabelSet(set("app", "web", "tier", "gold"))
	swapped := table.LabelSet(set("web", "app"))
	if web == gold || web == swapped || web == 0 || gold == 0 {
		t.Fatalf("different sets are one: %d %d %d", web, gold, swapped)
	}
	if table.LabelSet(set("app", "web")) != web || table.LabelSet(set("app", "web", "tier", "gold")) != gold {
		t.Fatal("equal sets are two")
	}
	tier, _ := table.LookupSym("tier")
	if v, ok := table.LabelValue(gold, tier); !ok || table.Text(v) != "gold" {
		t.Fatalf("tier is %q, %v", table.Text(v), ok)
	}
	if _, ok := table.LabelValue(web, tier); ok {
		t.Fatal("a label is there that was not set")
	}
	empty := table.LabelSet(set("flag", ""))
	if v, ok := table.LabelValue(empty, table.Sym("flag")); !ok || v != 0 {
		t.Fatal("a label without a value is not there")
	}
}

// What a caller appends to a set it was given doesn't get into the next set.
func TestLabelsOfCannotGrowIntoOthers(t *testing.T) {
	table := NewTable(nil)
	a := table.LabelSet([]Label{{table.Sym("a"), table.Sym("1")}})
	b := table.LabelSet([]Label{{table.Sym("b"), table.Sym("2")}})
	_ = append(table.LabelsOf(a), Label{})
	if got := table.LabelsOf(b)[0]; table.Text(got.Name) != "b" {
		t.Fatalf("the set b begins with %q", table.Text(got.Name))
	}
}

func TestLabelSetsAgainstAMap(t *testing.T) {
	rnd := rand.New(rand.NewSource(2))
	table, want := NewTable(nil), map[string]Labels{}
	for range 20_000 {
		var set []Label
		text := ""
		for range 1 + rnd.Intn(4) {
			l := Label{Sym(1 + rnd.Intn(12)), Sym(rnd.Intn(12))}
			set = append(set, l)
			text += strconv.Itoa(int(l.Name)) + "=" + strconv.Itoa(int(l.Value)) + ","
		}
		got := table.LabelSet(set)
		if known, ok := want[text]; ok && known != got {
			t.Fatalf("%s is %d, and was %d", text, got, known)
		}
		want[text] = got
	}
	numbers := map[Labels]string{}
	for text, n := range want {
		if other, taken := numbers[n]; taken {
			t.Fatalf("%s and %s are both %d", text, other, n)
		}
		numbers[n] = text
	}
}
