package script

import (
	"strings"
	"testing"
)

// TestCosts compares what informers cost that are shared, separate, streamed, paged,
// run twice and killed.
func TestCosts(t *testing.T) {
	const objects = "exists pod a/x\nexists pod a/y\n"
	for _, c := range []struct{ name, text, want string }{
		{"shared", "informer pods\nhandler one\nhandler two\n" + objects + "run", "[watches=1 lists=1 objects=2 copies=2]"},
		{"separate", "informer pods\ninformer pods\n" + objects + "run", "[watches=2 lists=2 objects=4 copies=4]"},
		{"of two resources", "informer pods\ninformer services\n" + objects + "run", "[watches=2 lists=2 objects=2 copies=2]"},
		{"a streaming list", "profile current\ninformer pods\n" + objects + "run", "[watches=1 lists=1 objects=2 copies=2]"},
		{"in pages", "server uncached\ninformer pods pages=1\n" + objects + "run", "[watches=1 lists=1 objects=2 copies=2]"},
		{"listed again", "informer pods\n" + objects + "run\nbreak watch\nrun", "[watches=1 lists=2 objects=4 copies=2]"},
		{"without a connection", "informer pods\n" + objects + "run\nadvance 2s\nfail requests refused n=all\nbreak watch\nstep 3", "[watches=0 lists=1 objects=2 copies=2]"},
		{"run twice", "profile classic\ninformer pods\n" + objects + "run\nstart again\nrun", "[watches=2 lists=2 objects=4 copies=2]"},
		{"a new process", "informer pods\n" + objects + "run\nkill process", "[watches=0 lists=0 objects=0 copies=0]"},
		{"bookmarks", "profile current\ninformer pods\n" + objects + "run\nadvance 5m", "[watches=1 lists=1 objects=2 copies=2]"},
	} {
		if got := transcript(c.text + "\nexpect costs " + c.want + "\n"); strings.Contains(got, "! ") {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
}
