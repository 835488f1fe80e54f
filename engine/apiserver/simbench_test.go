package apiserver

import (
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

const second = 1_000_000_000

// bench is a server, and a hand to write and to read on it with.
type bench struct {
	t   *testing.T
	tbl *object.Table
	s   *Simulated
	now int64
}

func newBench(t *testing.T, cfg SimConfig) *bench {
	tbl := object.NewTable(nil)
	cfg.Table, cfg.Versions, cfg.Revision = tbl, NewVersions(tbl), 1
	return &bench{t: t, tbl: tbl, s: NewSimulated(&cfg)}
}

// do writes "+ns/name label=value", "~…", "-ns/name", or "other" for a write to
// another resource: one revision and one second each.
func (b *bench) do(writes ...string) *bench {
	b.t.Helper()
	for _, text := range writes {
		b.now += second
		rev := b.s.Storage.Revision() + 1
		if text == "other" {
			b.s.Storage.Advance(rev, b.now)
			continue
		}
		f := strings.Fields(text[1:])
		ns, name, _ := strings.Cut(f[0], "/")
		m := object.Meta{Namespace: b.tbl.Sym(ns), Name: b.tbl.Sym(name)}
		var set []object.Label
		for _, l := range f[1:] {
			k, v, _ := strings.Cut(l, "=")
			set = append(set, object.Label{Name: b.tbl.Sym(k), Value: b.tbl.Sym(v)})
		}
		m.Labels = b.tbl.LabelSet(set)
		verb := map[byte]Verb{'+': Create, '~': Update, '-': Delete}[text[0]]
		if b.s.Write(Write{Verb: verb, Object: m, NewVersion: true}, rev, b.now).Failed() {
			b.t.Fatalf("%s is refused", text)
		}
	}
	return b
}

func (b *bench) opts(text string) (o object.ListOptions) {
	for _, f := range strings.Fields(text) {
		k, v, _ := strings.Cut(f, "=")
		switch k {
		case "rv":
			o.RV = b.tbl.RV(v)
		case "match":
			o.Match = map[string]object.Match{"exact": object.Exact, "notolder": object.NotOlderThan}[v]
		case "limit":
			fmt.Sscan(v, &o.Limit)
		case "continue":
			o.Continue = b.tbl.Sym(v)
		case "initial":
			o.SendInitialEvents = true
		case "bookmarks":
			o.Bookmarks = true
		case "timeout":
			fmt.Sscan(v, &o.Timeout)
			o.Timeout *= second
		default:
			b.t.Fatalf("there is no option %q", k)
		}
	}
	return o
}

// take waits for what is due, and says what it is.
func (b *bench) take() string {
	b.t.Helper()
	at, ok := b.s.Due()
	if !ok || at == actor.Never {
		return "nothing"
	}
	b.now = max(b.now, at)
	a := b.s.Take()
	rv := b.tbl.RVText(a.RV)
	switch a.Answer {
	case Listed:
		var keys []string
		for _, r := range a.List {
			m := b.tbl.Meta(r)
			keys = append(keys, b.tbl.KeyText(m.Key)+"@"+b.tbl.RVText(m.RV))
		}
		text := fmt.Sprintf("%s [%s]", rv, strings.Join(keys, " "))
		if a.Continue != 0 {
			text += " more"
		}
		return text
	case Opened:
		return "open"
	case ListFailed, OpenFailed:
		return fmt.Sprintf("%d %s", a.Code, b.s.Message())
	case Closed:
		switch a.Failure {
		case Reset:
			return "reset"
		case ConnectionLost:
			return "lost"
		}
		return "eof"
	}
	switch {
	case a.Kind == WatchBookmark:
		return "bookmark@" + rv
	case a.Kind == InitialEnd:
		return "end@" + rv
	case a.Delta == event.Error:
		b.s.Hangup()
		return fmt.Sprintf("ERROR %d %s", a.Code, b.s.Message())
	}
	return fmt.Sprintf("%v %s@%s", a.Delta, b.tbl.KeyText(b.tbl.KeyOf(a.Obj)), rv)
}

func (b *bench) list(o string) string {
	b.t.Helper()
	b.s.List(b.opts(o), b.now)
	return b.take()
}

// watch opens a watch and returns what comes at once.
func (b *bench) watch(o string) string {
	b.t.Helper()
	b.s.Watch(b.opts(o), b.now)
	got := []string{b.take()}
	for b.s.State() == Open && !b.s.Quiet() {
		got = append(got, b.take())
	}
	return strings.Join(got, ", ")
}

func (b *bench) want(got, want string) {
	b.t.Helper()
	if got != want {
		b.t.Errorf("the client gets\n%s\nwant\n%s", got, want)
	}
}
