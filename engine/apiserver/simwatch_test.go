package apiserver

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

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
				b.s.Storage.Lag(-1, b.now)
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

func TestWindow(t *testing.T) {
	b := newBench(t, SimConfig{}).do("+a/x")
	size, oldest := b.s.Storage.Window()
	if size != 100 || oldest != 1 {
		t.Errorf("a new window is for %d changes and begins after %d", size, oldest)
	}
	b.now += 100 * second // so that the first is old when the window is full
	for range 100 {
		b.now -= second * 99 / 100
		b.do("~a/x")
	}
	if size, oldest = b.s.Storage.Window(); size != 100 || oldest != 2 {
		t.Errorf("after 101 slow changes the window is for %d and begins after %d", size, oldest)
	}
	b.now -= second
	for range 100 {
		b.now -= second
		b.do("~a/x")
	}
	if size, _ = b.s.Storage.Window(); size != 200 {
		t.Errorf("after a burst the window is for %d", size)
	}
	for range 300 {
		b.now += second
		b.do("~a/x")
	}
	if size, _ = b.s.Storage.Window(); size != 100 {
		t.Errorf("a change every two seconds leaves room for %d", size)
	}
	b.s.Restart(b.now, 0, 0)
	b.now++
	if size, oldest = b.s.Storage.Window(); size != 100 || oldest != b.s.Storage.Revision() {
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
