package apiserver

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
)

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
				b.s.Storage.Lag(-1, b.now)
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
