package object

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestKeys(t *testing.T) {
	tab := NewTable(nil)
	a := tab.Add(Meta{Namespace: tab.Sym("shop"), Name: tab.Sym("web")})
	b := tab.Add(Meta{Name: tab.Sym("node-1")})
	again := tab.Add(Meta{Namespace: tab.Sym("shop"), Name: tab.Sym("web"), RV: NumberRV(2)})
	if got := tab.KeyText(tab.KeyOf(a)) + " " + tab.KeyText(tab.KeyOf(b)); got != "shop/web node-1" {
		t.Error(got)
	}
	if tab.KeyOf(a) != tab.KeyOf(again) || a == again {
		t.Error("two versions of an object have one key and a Ref each")
	}
	if k, ok := tab.LookupKey("shop/web"); !ok || k != tab.KeyOf(a) {
		t.Error(k, ok)
	}
	if k, ok := tab.LookupKey("shop/db"); ok || k != 0 || tab.Keys() != 3 {
		t.Error("looking up a key makes one")
	}
	if tab.Len() != 4 || tab.Meta(0) != (Meta{}) || tab.KeyText(0) != "" {
		t.Error("0 is no object, and no key")
	}
}

func TestKeyFunc(t *testing.T) {
	tab := NewTable(func(t *Table, m Meta) (string, bool) {
		return t.Text(m.UID), m.UID != 0
	})
	a, b := tab.Add(Meta{UID: tab.Sym("u1"), Name: tab.Sym("x")}), tab.Add(Meta{Name: tab.Sym("y")})
	if tab.KeyText(tab.KeyOf(a)) != "u1" || tab.KeyOf(b) != 0 {
		t.Error(tab.Meta(a), tab.Meta(b))
	}
	for _, m := range []Meta{{Name: tab.Sym("n")}, {Namespace: tab.Sym("s"), Name: tab.Sym("n")}} {
		table := NewTable(nil)
		m.Name, m.Namespace = table.Sym(tab.Text(m.Name)), table.Sym(tab.Text(m.Namespace))
		want, ok := MetaNamespaceKeyFunc(table, m)
		if got := table.KeyText(table.KeyOf(table.Add(m))); got != want || !ok {
			t.Errorf("the Table's own way makes %q, and MetaNamespaceKeyFunc %q", got, want)
		}
	}
}

func TestSyms(t *testing.T) {
	tab := NewTable(nil)
	s := tab.Sym("web")
	if tab.Text(s) != "web" || tab.Sym("web") != s {
		t.Error("interning keeps the text, and one number for it")
	}
	if tab.Sym("") != 0 || tab.Text(0) != "" {
		t.Error("0 is the empty string")
	}
	if x, ok := tab.LookupSym("web"); !ok || x != s {
		t.Error(x, ok)
	}
	if _, ok := tab.LookupSym("db"); ok {
		t.Error("found what isn't there")
	}
	if x, ok := tab.LookupSym(""); !ok || x != 0 {
		t.Error(x, ok)
	}
	if tab.Key("web") == 0 || tab.Key("") == 0 || tab.KeyText(tab.Key("")) != "" {
		t.Error("the empty text is a key like others")
	}
}

// Interning many strings, as a map would, with all the growth on the way.
func TestInternerIsAMap(t *testing.T) {
	tab := NewTable(nil)
	want := map[string]Sym{}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		s := strings.Repeat("k", rnd.IntN(3)) + fmt.Sprint(rnd.IntN(20_000))
		id, known := want[s]
		if got, ok := tab.LookupSym(s); ok != known || got != id {
			t.Fatalf("%q: %d, %v", s, got, ok)
		}
		got := tab.Sym(s)
		if !known {
			if int(got) != len(want)+1 {
				t.Fatalf("%q gets %d, and is the %dth", s, got, len(want)+1)
			}
			want[s] = got
		} else if got != id {
			t.Fatalf("%q was %d and is %d", s, id, got)
		}
	}
	for s, id := range want {
		if tab.Text(id) != s {
			t.Fatalf("%d is %q, and was %q", id, tab.Text(id), s)
		}
	}
}

// The hashes of these texts all end in 32 zeros if there is no seed, so all would want one slot.
func TestNobodyChoosesTheSlots(t *testing.T) {
	inverse := uint64(1) // of the factor of mix
	for range 6 {
		inverse *= 2 - 0x9e3779b97f4a7c15*inverse
	}
	back := func(h uint64) uint64 { return (h ^ h>>29 ^ h>>58) * inverse }
	var in interner
	in.init()
	for i := range uint64(20_000) {
		text := binary.LittleEndian.AppendUint64(nil, back(back(i<<32))^8)
		if h := Hash(text); h != i<<32 {
			t.Fatalf("the hash is %#x, and should be %#x", h, i<<32)
		}
		in.intern(text)
	}
	far, mask := 0, len(in.hash.slots)-1
	for i, s := range in.hash.slots {
		if s.id != 0 {
			far = max(far, (i-int(s.hash))&mask)
		}
	}
	if far > 1000 {
		t.Errorf("a text lies %d slots behind its own", far)
	}
}

func TestRV(t *testing.T) {
	tab := NewTable(nil)
	seen := map[RV]string{}
	for _, c := range []struct {
		text   string
		number uint64
		is     bool
	}{
		{"", 0, false}, {"0", 0, true}, {"1", 1, true}, {"18757", 18757, true}, {"4611686018427387903", 1<<62 - 1, true},
		{"4611686018427387904", 0, false}, {"18446744073709551616", 0, false}, {"007", 0, false}, {"+7", 0, false}, {"-1", 0, false}, {"abc", 0, false}, {"1_0", 0, false},
	} {
		rv := tab.RV(c.text)
		if n, ok := rv.Number(); n != c.number || ok != c.is {
			t.Errorf("%q: number %d, %v", c.text, n, ok)
		}
		if got := tab.RVText(rv); got != c.text {
			t.Errorf("%q becomes %q", c.text, got)
		}
		if tab.RV(c.text) != rv {
			t.Errorf("%q is not itself", c.text)
		}
		if other, ok := seen[rv]; ok {
			t.Errorf("%q and %q are one", c.text, other)
		}
		seen[rv] = c.text
	}
	if NumberRV(7) != tab.RV("7") {
		t.Error("NumberRV")
	}
}

func FuzzRV(f *testing.F) {
	for _, s := range []string{"", "0", "00", "1", "+1", "9223372036854775808", fmt.Sprint(uint64(math.MaxUint64)), "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tab := NewTable(nil)
		if got := tab.RVText(tab.RV(s)); got != s {
			t.Fatalf("%q becomes %q", s, got)
		}
	})
}

func TestLabels(t *testing.T) {
	tab := NewTable(nil)
	app, web, tier, gold := tab.Sym("app"), tab.Sym("web"), tab.Sym("tier"), tab.Sym("gold")
	set := []Label{{app, web}, {tier, gold}}
	l := tab.LabelSet(set)
	set[0].Value = gold
	if got := tab.LabelsOf(l); len(got) != 2 || got[0] != (Label{app, web}) {
		t.Error("a set is kept as it was:", got)
	}
	if tab.LabelSet([]Label{{app, web}, {tier, gold}}) != l || tab.LabelSet(set) == l || tab.LabelSet(set[:1]) == l {
		t.Error("equal sets are one, others are not")
	}
	if tab.LabelSet(nil) != 0 || len(tab.LabelsOf(0)) != 0 {
		t.Error("0 is the empty set")
	}
	if v, ok := tab.LabelValue(l, tier); !ok || v != gold {
		t.Error(v, ok)
	}
	if _, ok := tab.LabelValue(l, web); ok {
		t.Error("found a label that isn't there")
	}
	ids := map[Labels]string{}
	for i := range 2000 {
		set := []Label{{app, tab.Sym(fmt.Sprint(i % 500))}, {tier, tab.Sym(fmt.Sprint(i % 3))}}
		name := fmt.Sprint(set)
		id := tab.LabelSet(set)
		if was, ok := ids[id]; ok && was != name {
			t.Fatal("two sets are one")
		}
		ids[id] = name
	}
	if len(ids) != 1500 {
		t.Error(len(ids), "sets")
	}
}

// Interning what is there already allocates nothing.
func TestInterningIsFree(t *testing.T) {
	tab := NewTable(nil)
	names := make([]string, 100)
	for i := range names {
		names[i] = fmt.Sprint("name-", i)
		tab.Sym(names[i])
	}
	set := []Label{{tab.Sym("a"), tab.Sym("b")}}
	tab.LabelSet(set)
	if n := testing.AllocsPerRun(10, func() {
		for _, s := range names {
			tab.Sym(s)
			tab.LookupSym(s)
		}
		tab.LabelSet(set)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCompareResourceVersion(t *testing.T) {
	tab := NewTable(nil)
	for _, c := range []struct {
		a, b  string
		order int
		ok    bool
	}{
		{"1", "1", 0, true}, {"9", "10", -1, true}, {"10", "9", 1, true},
		{"4611686018427387904", "9", 1, true}, {"99999999999999999999", "99999999999999999998", 1, true},
		{"18446744073709551616", "99999999999999999999", -1, true},
		{"0", "1", 0, false}, {"1", "0", 0, false}, {"", "1", 0, false}, {"1", "", 0, false}, {"07", "1", 0, false}, {"x", "1", 0, false}, {"+1", "99999999999999999999", 0, false},
	} {
		if order, ok := tab.CompareResourceVersion(tab.RV(c.a), tab.RV(c.b)); ok != c.ok || ok && order != c.order {
			t.Errorf("%q and %q: %d, %v", c.a, c.b, order, ok)
		}
	}
}
