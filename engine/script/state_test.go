package script

import (
	"slices"
	"strings"
	"testing"
)

// State tells of each station, and of who waits for whom.
func TestState(t *testing.T) {
	for _, c := range []struct {
		script string
		says   []string
	}{
		{"informer pods\nhandler h takes=100s\nexists pod shop/a\nexists pod shop/b\nadvance 1s", []string{
			"server: revision 2; the informer's request is open", `reflector: lastSyncResourceVersion "2"; HasSynced true`, "queue: []", "cache: objects 2",
			"handler h: calls so far 1; on their way to it 2, in pendingNotifications 0", "run/h: is in a call of the handler for shop/a until ", "pop/h: waits until somebody receives from its channel, since ",
			"reflector: waits for the server, since ", "loop: has nothing to do, since ",
		}},
		{"informer pods workers=1 work=10s\nhandler h workqueue\nexists pod shop/a\nexists pod shop/b\nadvance 1s", []string{
			"workqueue: ready [shop/b]; delayed []; processing [shop/a]", "worker/0: is in the reconcile of shop/a until ",
		}},
		{"informer pods\nhandler h panics\nexists pod shop/a\nrun", []string{"the process has died: "}},
		{"informer pods\nhandler h\nfail requests internal n=all\nadvance 1m", []string{"HasSynced false", "reflector: sleeps until "}},
		{"profile current\ninformer pods\nhandler h until=1s\nexists pod shop/a\nadvance 2s", []string{"handler h: removed"}},
	} {
		r := NewRunner(func(Entry) {})
		if err := r.Play(c.script); err != nil {
			t.Errorf("%s: %v", c.script, err)
			continue
		}
		lines := State(r.History().Front())
		for _, want := range c.says {
			if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, want) }) {
				t.Errorf("%s: it doesn't say %q:\n%s", c.script, want, strings.Join(lines, "\n"))
			}
		}
	}
}
