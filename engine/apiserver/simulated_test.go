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
		rev := b.s.Revision() + 1
		if text == "other" {
			b.s.Advance(rev, b.now)
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
		if b.s.Write(Write{Verb: verb, Object: m, Anew: true}, rev, b.now).Failed() {
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

func TestListRules(t *testing.T) {
	const tooLarge = "504 Too large resource version: 99, current: "
	for _, c := range []struct{ server, opts, want string }{
		{"", "", "6 [a/x@2 a/y@5 a/z@4]"},
		{"", "limit=2", "6 [a/x@2 a/y@5] more"},
		{"", "rv=0", "5 [a/x@2 a/y@5 a/z@4]"}, // the cache knows of its own resource alone
		{"", "rv=0 limit=2", "5 [a/x@2 a/y@5 a/z@4]"},
		{"", "rv=4", "5 [a/x@2 a/y@5 a/z@4]"},
		{"", "rv=6", "6 [a/x@2 a/y@5 a/z@4]"}, // the cache learns of the revision from etcd's notice of progress
		{"", "rv=4 match=notolder limit=1", "5 [a/x@2 a/y@5 a/z@4]"},
		{"", "rv=99", tooLarge + "5"},
		{"", "rv=4 limit=5", "4 [a/x@2 a/z@4]"},
		{"", "rv=4 match=exact", "4 [a/x@2 a/z@4]"},
		{"", "rv=99 match=exact", tooLarge + "6"},
		{"", "rv=1 match=exact", "1 []"},
		{"", "match=exact", "422 resourceVersionMatch: forbidden without resourceVersion"},
		{"", "rv=0 match=exact", `422 resourceVersionMatch: "Exact" is forbidden for resourceVersion "0"`},
		{"", "rv=5 match=exact continue=x", "422 resourceVersionMatch: forbidden with continue"},
		{"", "rv=5 continue=x", "400 resourceVersion is not allowed with continue"},
		{"", "continue=x", "400 continue: not a token of this server"},
		{"", "initial", "422 sendInitialEvents: forbidden for list"},
		{"", "rv=abc", `500 resourceVersion: invalid value "abc"`},
		{"classic", "", "6 [a/x@2 a/y@5 a/z@4]"},
		{"classic", "rv=0", "5 [a/x@2 a/y@5 a/z@4]"},
		{"uncached", "rv=0", "6 [a/x@2 a/y@5 a/z@4]"},
		{"uncached", "rv=4", "6 [a/x@2 a/y@5 a/z@4]"},
		{"uncached", "rv=99", tooLarge + "6"},
		{"uncached", "rv=4 match=exact", "4 [a/x@2 a/z@4]"},
		// etcd has forgotten what was before 6. Servers of today hold it still.
		{"compacted", "rv=4 match=exact", "4 [a/x@2 a/z@4]"},
		{"classic compacted", "rv=4 match=exact", "410 resourceVersion 4 of the list is too old"},
		{"classic compacted", "rv=4", "5 [a/x@2 a/y@5 a/z@4]"},
		{"uncached compacted", "rv=4 match=exact", "410 resourceVersion 4 of the list is too old"},
		{"uncached compacted", "rv=6 match=exact", "6 [a/x@2 a/y@5 a/z@4]"},
		// A replica that has got nothing since revision 2.
		{"stuck", "rv=0", "2 [a/x@2]"},
		{"stuck", "", "6 [a/x@2 a/y@5 a/z@4]"}, // from etcd, after all
		{"stuck", "rv=5", "504 Too large resource version: 5, current: 2"},
		{"stuck", "rv=2", "2 [a/x@2]"},
		{"classic stuck", "", "6 [a/x@2 a/y@5 a/z@4]"},
		{"restarted", "rv=0", "429 storage is initializing"},
		{"restarted classic", "rv=0", "6 [a/x@2 a/y@5 a/z@4]"}, // waits
		{"down", "rv=0", "0 connection refused"},
		{"broken", "rv=0", "500 internal error"},
	} {
		t.Run(c.server+" "+c.opts, func(t *testing.T) {
			is := func(what string) bool { return strings.Contains(c.server, what) }
			b := newBench(t, SimConfig{Classic: is("classic"), Uncached: is("uncached")}).do("+a/x", "other")
			if is("stuck") {
				b.s.Lag(-1, b.now)
			}
			b.do("+a/z", "+a/y", "other")
			if is("compacted") {
				b.s.Compact()
			}
			if is("restarted") {
				b.s.Restart(b.now, 0, second)
			}
			if is("down") {
				b.s.Restart(b.now, second, 0)
			}
			if is("broken") {
				b.s.Fail(InternalError, 1, 0)
			}
			b.want(b.list(c.opts), c.want)
		})
	}
}

func TestWatchRules(t *testing.T) {
	const all = "Added a/x@2, Added a/y@5, Added a/z@4"
	for _, c := range []struct{ server, opts, want string }{
		{"", "rv=4", "open, Added a/y@5"},
		{"", "rv=5", "open"},
		{"", "rv=6", "open"},
		{"", "rv=99", "open"}, // and stays silent until then
		{"", "rv=1", "open, Added a/x@2, Added a/z@4, Added a/y@5"},
		{"", "rv=0", "open, " + all},
		{"", "", "open, " + all},
		{"", "bookmarks", "open, " + all + ", end@5"},
		{"classic", "bookmarks", "open, " + all},
		{"", "initial match=notolder bookmarks", "open, " + all + ", end@6"},
		{"", "initial match=notolder bookmarks rv=4", "open, " + all + ", end@5"},
		{"", "initial match=notolder bookmarks rv=99", "open, ERROR 504 Too large resource version: 99, current: 5"},
		{"stuck", "initial match=notolder bookmarks", "open, ERROR 504 Too large resource version: 6, current: 2"},
		{"classic", "initial match=notolder bookmarks", "422 sendInitialEvents: forbidden, this server knows no streaming lists"},
		{"", "initial bookmarks", `422 resourceVersionMatch: "NotOlderThan" is required with sendInitialEvents`},
		{"", "match=notolder rv=4", "422 resourceVersionMatch: forbidden for watch without sendInitialEvents"},
		{"", "rv=abc", `500 resourceVersion: invalid value "abc"`},
		{"restarted", "rv=4", "open, ERROR 410 too old resource version: 4 (6)"},
		{"restarted", "rv=6", "open"},
		{"uncached compacted", "rv=4", "open, ERROR 410 resourceVersion 4 of the watch is too old"},
		{"uncached compacted", "rv=5", "open"},
		{"compacted", "rv=4", "open, Added a/y@5"}, // the watch cache holds it still
		{"stuck", "rv=2", "open"},
	} {
		t.Run(c.server+" "+c.opts, func(t *testing.T) {
			is := func(what string) bool { return strings.Contains(c.server, what) }
			b := newBench(t, SimConfig{Classic: is("classic"), Uncached: is("uncached")}).do("+a/x", "other")
			if is("stuck") {
				b.s.Lag(-1, b.now)
			}
			b.do("+a/z", "+a/y", "other")
			if is("compacted") {
				b.s.Compact()
			}
			if is("restarted") {
				b.s.Restart(b.now, 0, 0)
			}
			b.want(b.watch(c.opts), c.want)
		})
	}
}

func TestSelectorTurnsChangesIntoAddedAndDeleted(t *testing.T) {
	b := newBench(t, SimConfig{Selects: func(t *object.Table, r object.Ref) bool {
		v, ok := t.LabelValue(t.LabelSetOf(r), t.Sym("tier"))
		return ok && t.Text(v) == "gold"
	}})
	b.do("+a/x tier=gold", "+a/y tier=tin", "~a/x tier=gold", "~a/x tier=tin", "~a/x tier=tin", "~a/x tier=gold", "~a/y tier=gold", "-a/y")
	b.want(b.watch("rv=1"), "open, Added a/x@2, Updated a/x@4, Deleted a/x@5, Added a/x@7, Added a/y@8, Deleted a/y@9")
	b.s.Hangup()
	b.s.Watch(b.opts("rv=4"), b.now)
	b.take()
	b.s.Due()
	left := b.s.Take()
	if v, _ := b.tbl.LabelValue(b.tbl.LabelSetOf(left.Obj), b.tbl.Sym("tier")); b.tbl.Text(v) != "gold" {
		t.Error("an object that leaves the selection does not show the content that it had there")
	}
	b.s.Hangup()
	b.want(b.list(""), "9 [a/x@7]")
}

func TestPages(t *testing.T) {
	for _, uncached := range []bool{false, true} {
		b := newBench(t, SimConfig{Uncached: uncached, Classic: true}).do("+a/a", "+a/b", "+a/c", "+a/d")
		next := func(o string) (string, object.ListOptions) {
			b.s.List(b.opts(o), b.now)
			b.s.Due()
			s := *b.s
			a := s.Take()
			return b.take(), object.ListOptions{Limit: 2, Continue: a.Continue}
		}
		page := func(o object.ListOptions) string {
			b.s.List(o, b.now)
			return b.take()
		}
		first, rest := next("limit=2")
		b.want(first, "5 [a/a@2 a/b@3] more")
		b.do("-a/c", "+a/e")
		b.want(page(rest), "5 [a/c@4 a/d@5]")
		b.s.Compact()
		b.s.List(rest, b.now)
		b.s.Due()
		a := b.s.Take()
		if a.Answer != ListFailed || a.Failure != Expired || a.Code != 410 || a.Continue == 0 {
			t.Fatalf("an expired token gives %+v", a)
		}
		b.want(page(object.ListOptions{Limit: 2, Continue: a.Continue}), "7 [a/d@5 a/e@7]")
	}
}

func TestWindow(t *testing.T) {
	b := newBench(t, SimConfig{}).do("+a/x")
	size, oldest := b.s.Window()
	if size != 100 || oldest != 1 {
		t.Errorf("a new window is for %d changes and begins after %d", size, oldest)
	}
	b.now += 100 * second // so that the first is old when the window is full
	for range 100 {
		b.now -= second * 99 / 100
		b.do("~a/x")
	}
	if size, oldest = b.s.Window(); size != 100 || oldest != 2 {
		t.Errorf("after 101 slow changes the window is for %d and begins after %d", size, oldest)
	}
	b.now -= second
	for range 100 {
		b.now -= second
		b.do("~a/x")
	}
	if size, _ = b.s.Window(); size != 200 {
		t.Errorf("after a burst the window is for %d", size)
	}
	for range 300 {
		b.now += second
		b.do("~a/x")
	}
	if size, _ = b.s.Window(); size != 100 {
		t.Errorf("a change every two seconds leaves room for %d", size)
	}
	b.s.Restart(b.now, 0, 0)
	b.now++
	if size, oldest = b.s.Window(); size != 100 || oldest != b.s.Revision() {
		t.Errorf("a restart leaves a window for %d from %d on", size, oldest)
	}
}

func TestWatchLives(t *testing.T) {
	b := newBench(t, SimConfig{Buffer: 3}).do("+a/x")
	b.want(b.watch("rv=2 bookmarks timeout=100"), "open")
	opened := b.now
	b.do("~a/x", "other")
	b.want(b.take(), "Updated a/x@3")
	b.want(b.take(), "bookmark@3")
	b.want(b.take(), "bookmark@3")
	if b.now != opened+98*second {
		t.Errorf("the last bookmark comes %d s after the beginning", (b.now-opened)/second)
	}
	b.want(b.take(), "eof")
	if b.now != opened+100*second {
		t.Errorf("the end comes %d s after the beginning", (b.now-opened)/second)
	}

	b.want(b.watch("rv=3"), "open")
	b.do("~a/x", "~a/x", "~a/x", "~a/x", "~a/x")
	b.want(strings.Join([]string{b.take(), b.take(), b.take(), b.take()}, ", "), "Updated a/x@5, Updated a/x@6, Updated a/x@7, eof")

	b.want(b.watch("rv=9 timeout=10"), "open")
	opened = b.now
	b.now += 100 * second // three pings were answered
	b.s.Silence(0, b.now)
	b.do("~a/x")
	b.want(b.take(), "lost")
	if b.now != opened+135*second {
		t.Errorf("the client notices %d s after the watch began", (b.now-opened)/second)
	}

	b.want(b.watch("rv=10 timeout=10"), "open")
	b.s.Silence(7*second, b.now)
	opened = b.now
	b.want(b.take(), "lost")
	if b.now != opened+7*second {
		t.Errorf("the client notices after %d s, and not after 7", (b.now-opened)/second)
	}

	// No client has a timer for the time limit that it sends.
	b.want(b.watch("rv=10 timeout=10"), "open")
	b.s.Silence(-1, b.now)
	if at, _ := b.s.Due(); at != actor.Never || !b.s.Quiet() {
		t.Errorf("a silent watch whose pings are answered ends at %d", at)
	}
	b.s.Hangup()

	b.want(b.watch("rv=10"), "open")
	b.s.Restore(5, b.now)
	b.want(b.take(), "reset")
	b.want(b.list("rv=10"), "504 Too large resource version: 10, current: 5")
	b.want(b.list(""), "5 [a/x@5]")
}

func TestWithoutBookmarks(t *testing.T) {
	b := newBench(t, SimConfig{NoBookmarks: true}).do("+a/x")
	b.want(b.watch("initial match=notolder bookmarks timeout=100"), "open, Added a/x@2, end@2")
	b.want(b.take(), "eof")
}

func TestCompactsByItself(t *testing.T) {
	b := newBench(t, SimConfig{CompactEvery: 5 * second, Uncached: true}).do("+a/x")
	for range 12 {
		b.do("~a/x")
	}
	b.want(b.list("rv=3 match=exact"), "410 resourceVersion 3 of the list is too old")
	b.want(b.list("rv=12 match=exact"), "12 [a/x@12]")
}

func TestCopiesGoTheirOwnWay(t *testing.T) {
	b := newBench(t, SimConfig{}).do("+a/x")
	b.watch("rv=2")
	c := &bench{t: t, tbl: b.tbl, s: b.s.CopyTo(nil).(*Simulated), now: b.now}
	b.do("~a/x")
	c.do("-a/x", "+a/y")
	b.want(b.take(), "Updated a/x@3")
	c.want(c.take()+", "+c.take(), "Deleted a/x@3, Added a/y@4")
	again := b.s.CopyTo(c.s)
	if again != Server(c.s) {
		t.Error("a copy's memory is not used again")
	}
	c.s.Hangup()
	c.want(c.list(""), "3 [a/x@3]")
}

func TestServingAllocates(t *testing.T) {
	b := newBench(t, SimConfig{CompactEvery: 60 * second})
	b.do("+a/x")
	b.watch("rv=2 timeout=1000000")
	m := b.tbl.Meta(b.s.Get(b.tbl.Key("a/x")))
	m.RV = 0 // no precondition
	rows := b.s.cfg.Versions
	for i := range int64(60_000) {
		rows.At(m, i)
	}
	round := func() {
		b.now += second / 10
		b.s.Write(Write{Verb: Update, Object: m, Anew: true}, b.s.Revision()+1, b.now)
		b.s.Due()
		b.s.Take()
	}
	for range 20_000 {
		round()
	}
	if n := testing.AllocsPerRun(20_000, round); n > 0 {
		t.Errorf("serving a change allocates %v times", n)
	}
	if len(b.s.etcd.log) > 4000 {
		t.Errorf("%d changes are kept", len(b.s.etcd.log))
	}
}
