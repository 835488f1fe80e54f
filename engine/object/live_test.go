package object

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// version is the content of a row as text.
type version struct{ key, namespace, name, uid, rv, labels string }

func versionOf(t *Table, r Ref) version {
	m := t.Meta(r)
	v := version{t.KeyText(m.Key), t.Text(m.Namespace), t.Text(m.Name), t.Text(m.UID), t.RVText(m.RV), ""}
	for _, l := range t.LabelsOf(m.Labels) {
		v.labels += t.Text(l.Name) + "=" + t.Text(l.Value) + ","
	}
	return v
}

// TestSweepKeepsWhatIsLive adds random versions, drops some of them, and sweeps
// now and then.
func TestSweepKeepsWhatIsLive(t *testing.T) {
	seeds := uint64(30)
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		rnd := rand.New(rand.NewPCG(seed, 1))
		tab := NewTable(nil)
		held := map[Ref]version{}
		text := func(part string, n int) string {
			s := part + strconv.Itoa(rnd.IntN(n))
			if rnd.IntN(20) == 0 {
				s += strings.Repeat("x", []int{100, 300, 20_000}[rnd.IntN(3)]) // a length of one, two or three bytes
			}
			return s
		}
		for range 1000 {
			v := version{namespace: text("shop", 3), name: text("web", 200), uid: text("uid", 5000), rv: strconv.Itoa(rnd.IntN(100))}
			v.key = v.namespace + "/" + v.name
			if rnd.IntN(10) == 0 {
				v.rv = text("rv", 50)
			}
			var set []Label
			for i := range rnd.IntN(4) {
				name, value := "label"+strconv.Itoa(i), text("value", 500)
				set = append(set, Label{tab.Sym(name), tab.Sym(value)})
				v.labels += name + "=" + value + ","
			}
			r := tab.Add(Meta{Namespace: tab.Sym(v.namespace), Name: tab.Sym(v.name), UID: tab.Sym(v.uid), RV: tab.RV(v.rv), Labels: tab.LabelSet(set)})
			if old, ok := held[r]; ok {
				t.Fatalf("seed %d: %d is %v, and is given away", seed, r, old)
			}
			held[r] = v
			if !slices.IsSortedFunc(tab.KeyOrder(), tab.CompareKeys) {
				t.Fatalf("seed %d: the keys are not in order", seed)
			}
			if rnd.IntN(50) > 0 {
				continue
			}
			live := tab.Live()
			for _, r := range slices.Sorted(maps.Keys(held)) {
				if rnd.IntN(3) == 0 {
					delete(held, r)
					continue
				}
				live.Ref(r)
				if got, v := versionOf(tab, r), held[r]; got != v {
					t.Fatalf("seed %d: %d is %v, want %v", seed, r, got, v)
				}
			}
			keys := map[string]Key{} // those that stay
			for r, v := range held {
				keys[v.key] = tab.KeyOf(r)
			}
			if k, ok := tab.LookupKey("shop0/web0"); ok {
				live.Key(k) // somebody has it without a row
				keys["shop0/web0"] = k
			}
			tab.Sweep(live)
			before := tab.HeldKeys()
			tab.SweepKeys(live, func(k Key) {
				if _, stays := keys[tab.KeyText(k)]; stays || tab.KeyText(k) == "" {
					t.Fatalf("seed %d: %q goes", seed, tab.KeyText(k))
				}
				before--
			})
			if tab.HeldKeys() != before || before != len(keys) {
				t.Fatalf("seed %d: %d keys are held, by what was told %d, want %d", seed, tab.HeldKeys(), before, len(keys))
			}
			for text, want := range keys {
				if k, ok := tab.LookupKey(text); !ok || k != want || tab.KeyText(k) != text {
					t.Fatalf("seed %d: %s has another number now", seed, text)
				}
			}
			if !slices.IsSortedFunc(tab.KeyOrder(), tab.CompareKeys) || len(tab.KeyOrder()) != tab.Keys()-1 {
				t.Fatalf("seed %d: the keys are not in order", seed)
			}
			if tab.LiveRows() != len(held) {
				t.Fatalf("seed %d: %d rows are held, want %d", seed, tab.LiveRows(), len(held))
			}
			for r, v := range held {
				if got := versionOf(tab, r); got != v {
					t.Fatalf("seed %d: after a sweep %d is %v, want %v", seed, r, got, v)
				}
				if s, ok := tab.LookupSym(v.uid); !ok || s != tab.Meta(r).UID || tab.Sym(v.uid) != s {
					t.Fatalf("seed %d: %s has another number now", seed, v.uid)
				}
			}
		}
		if tab.Len() > 500 || tab.Keys() > 500 {
			t.Errorf("seed %d: numbers are not used again: there are %d rows and %d keys", seed, tab.Len(), tab.Keys())
		}
	}
}

func TestSweepForgetsTheRest(t *testing.T) {
	tab := NewTable(nil)
	add := func(name, rv, label string) Ref {
		set := []Label{{tab.Sym("app"), tab.Sym(label)}}
		return tab.Add(Meta{Name: tab.Sym(name), UID: tab.Sym("uid-" + name), RV: tab.RV(rv), Labels: tab.LabelSet(set)})
	}
	a, b := add("a", "one", "shop"), add("b", "two", "b")
	labels := tab.LabelsOf(tab.LabelSetOf(a))
	live := tab.Live()
	live.Refs([]Ref{0, a})
	tab.Sweep(live)
	for text, want := range map[string]bool{"a": true, "uid-a": true, "app": true, "shop": true, "one": true, "two": true, "b": false, "uid-b": false} {
		if _, ok := tab.LookupSym(text); ok != want {
			t.Errorf("%s is known: %v", text, ok)
		}
	}
	if _, ok := tab.LookupKey("b"); !ok || tab.Meta(b) != (Meta{}) || tab.LiveRows() != 1 {
		t.Error("keys stay, and rows go")
	}
	if c := add("c", "three", "c"); c != b || versionOf(tab, c) != (version{"c", "", "c", "uid-c", "three", "app=c,"}) {
		t.Errorf("%d is %v", c, versionOf(tab, c))
	}
	if !slices.Equal(labels, tab.LabelsOf(tab.LabelSetOf(a))) {
		t.Error("labels that somebody holds have changed")
	}
}
