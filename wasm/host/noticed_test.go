package host

import (
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// noticedRows writes what the page is told of a fault.
func noticedRows(x *link.Noticed) string {
	if x == nil {
		return "nothing"
	}
	rows := []string{x.Ends}
	for _, r := range x.Rows {
		says := fmt.Sprintf("%s%s %d", r.Handler, map[bool]string{true: " "}[r.Handler != ""]+r.ID, r.N)
		if strings.HasSuffix(strings.ToLower(r.ID), "late") {
			says = strings.TrimSpace(fmt.Sprintf("%s %s %d ms", r.Handler, r.ID, r.N/1e6))
		}
		rows = append(rows, says)
	}
	return strings.Join(rows, ", ")
}

// After a fault, the page is told who notices: what happens in one of two runs alone.
func TestWhoNotices(t *testing.T) {
	const quiet = "profile classic\ninformer pods\nhandler audit\nhandler queue workqueue\nexists pod a/x\nexists pod a/y\nrun\nadvance 20s\n"
	const led = "profile current\ninformer shops\ncontroller shops program=return\nreplicas 2\nexists shop default/a\nrun\n"
	// Two events are under way.
	const worked = "profile current\ninformer pods work=5ms\nhandler audit\nhandler queue workqueue\nexists pod a/x\nexists pod a/y\nrun\n"
	const coming = "lag server 1s; update pod a/x; update pod a/y; "
	for _, c := range []struct{ name, script, lines, want string }{
		{"a cut alone is the reflector's own affair", quiet, "break watch", "over, closed 1, opened 1, audit none 0, queue none 0"},
		{"a back-off", quiet + "fail requests refused n=2\n", "break watch", "over, closed 1, failed 2, opened 1, audit none 0, queue none 0"},
		{"the server is away", quiet, "restart server down=1s", "over, closed 1, failed 1, opened 1, audit none 0, queue none 0"},
		{"the server has forgotten", quiet + "fail requests expired n=1\n", "break watch",
			"over, closed 1, failed 1, opened 1, relisted 1, stored 2, audit called 2, queue called 2, queued 2, reconciled 2"},
		{"an event comes late", quiet + "fail requests refused n=3\n", "lag server 1s; update pod a/x; break watch",
			"over, closed 1, failed 3, opened 1, audit late 8914 ms, queue late 8914 ms, reconciledLate 8914 ms"},
		{"an event is lost", quiet, "lag server 1s; update pod a/x; drop event", "rest, lost 1, audit missed 1, queue missed 1, unreconciled 1"},
		{"an event of another kind", quiet, "lag server 1s; update pod a/x; spoil event kind", "rest, audit missed 1, queue missed 1, unreconciled 1"},
		{"the end of a streaming list is lost", "profile current\ninformer pods\nhandler audit\nexists pod a/x\nrun\nadvance 20s\nfail requests expired n=1\n", "break watch; withhold initial end", "rest, audit missed 1"},
		{"more than a fault", quiet, "drop event\ndelete pod a/x", "nothing"},
		{"nobody asks for what is compacted", quiet, "compact", "rest, audit none 0, queue none 0"},
		{"no fault", quiet, "delete pod a/x", "nothing"},
		{"a slow handler holds up itself alone", worked, coming + "takes audit 1s", "rest, audit late 999 ms, queue none 0"},
		{"a handler that blocks", worked, coming + "takes audit forever", "rest, audit missed 1, queue none 0"},
		{"a handler that is fast again", worked, coming + "takes audit 1s; takes audit 1ms", "nothing"},
		{"a handler that panics", worked, coming + "panic handler audit", "rest, panicked 1, audit missed 1, queue missed 2, unreconciled 2"},
		{"a handler that knows no tombstones", quiet, "break watch; delete pod a/x; fail requests expired n=1; blind handler queue", "over, audit none 0, queue ignored 1, unreconciled 1"},
		{"the process is killed", quiet, "kill process", "over, opened 1, relisted 1, stored 2, audit called 2, queue called 2, queued 2, reconciled 2"},
		{"the leader is killed", led, "kill replica down=forever", "rest, opened 1, relisted 1, led 1, enqueue-shops none 0, b/enqueue-shops called 1, queued 1, reconciled 1"},
		{"the leader is cut off", led, "cut replica", "rest, closed 1, failed 3, opened 1, relisted 1, led 1, enqueue-shops none 0, b/enqueue-shops called 1, queued 1, reconciled 1"},
		{"the leader is paused for long", led, "pause replica 40s", "rest, opened 1, relisted 1, led 1, enqueue-shops none 0, b/enqueue-shops called 1, queued 1, reconciled 1"},
		{"another process is killed", led, "kill replica down=1s b/shops", "rest, enqueue-shops none 0, b/enqueue-shops none 0"},
		{"reconciles fail", worked, coming + "fail reconciles n=2", "over, audit none 0, queue none 0, queued 2, reconcileFailed 2, reconciled 2"},
		{"a reconcile hangs", worked, coming + "hang reconcile", "rest, audit none 0, queue none 0, unreconciled 1, undone 2"},
		{"nothing fails any more", worked, coming + "fail reconciles n=0", "nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPage(t)
			p.ask(link.Open{Name: "quiet.txt"}, asFile(c.script))
			f := p.frame(link.Seek{Step: 1 << 40})
			var x *link.Noticed
			line := ""
			for line = range strings.SplitSeq(c.lines, "; ") {
				x = last(p.ask(link.PlayLine{Line: line}, nil), news[*link.Noticed])
			}
			if got := noticedRows(x); got != c.want {
				t.Errorf("%s: %s", c.lines, got)
			}
			if x == nil {
				return
			}
			if x.Step <= f.Step || x.Line != line {
				t.Errorf("the fault is %q at step %d, after step %d", x.Line, x.Step, f.Step)
			}
			for _, r := range x.Rows {
				if r.Step > 0 && r.Step < x.Step {
					t.Errorf("%s is at step %d, before the fault", r.ID, r.Step)
				}
			}
		})
	}
}
