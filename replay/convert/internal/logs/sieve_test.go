package logs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/internal/logs"
)

// sieveLine is a line as Sieve's server writes it.
func sieveLine(second int, mark string, parts ...string) string {
	return fmt.Sprintf("2022/03/04 15:04:%02d [SIEVE-%s]\t%s\n", second, mark, strings.Join(parts, "\t"))
}

// plain is an object as Go writes it, without its kind.
func plain(name, uid, rv string) string {
	return strings.Replace(converttest.Pod(name, uid, rv), `"kind":"Pod","apiVersion":"v1",`, "", 1)
}

func sent(second int, typ, name, uid, rv string) string {
	return sieveLine(second, "API-EVENT", typ, "/pods/x/"+name, "pod", "x", name, plain(name, uid, rv))
}

func heard(second int, delta, name, uid, rv string) string {
	return sieveLine(second, "BEFORE-HEAR", "7", delta, "pod", plain(name, uid, rv)) + sieveLine(second, "AFTER-HEAR", "7", delta, "pod", plain(name, uid, rv))
}

func TestSieve(t *testing.T) {
	const both = "[pods v1 pod: WatchOpen 1 ADDED 1 MODIFIED 1 DELETED 1, keys 1, sieve pod called 3 times] (sieveCalls 0 )"
	for _, c := range []struct{ name, in, want string }{
		{"sent and heard", "I am another program\n" + sent(1, "ADDED", "a", "1", "5") + heard(1, "Added", "a", "1", "5") + sent(2, "MODIFIED", "a", "1", "6") + heard(3, "Updated", "a", "1", "6") + sent(4, "DELETED", "a", "1", "7") + heard(5, "Deleted", "a", "1", "7"), "sieve " + both},
		{"heard late", sent(1, "ADDED", "a", "1", "5") + sent(2, "MODIFIED", "a", "1", "6") + sent(4, "DELETED", "a", "1", "7") + heard(5, "Added", "a", "1", "5") + heard(5, "Updated", "a", "1", "6") + heard(5, "Deleted", "a", "1", "7"), "sieve " + both},
		{"heard only", heard(1, "Replaced", "a", "1", "5") + heard(3, "Updated", "a", "1", "6") + heard(5, "Deleted", "a", "1", "7"), "sieve " + both},
		{"deleted only", heard(5, "Deleted", "a", "1", "7"), "sieve [pods v1 pod: WatchOpen 1 DELETED 1, keys 1, sieve pod called 1 times] (sieveCalls 0 )"},
		{"without times", strings.ReplaceAll(sent(1, "ADDED", "a", "1", "5"), "2022/03/04 15:04:01 ", ""), "sieve spaced [pods v1 pod: WatchOpen 1 ADDED 1, keys 1]"},
		{"damaged", sent(1, "ADDED", "a", "1", "5") + sieveLine(2, "API-EVENT", "MODIFIED", "k", "pod", "x", "a", `{"metadata":{"name"`) + sieveLine(2, "BEFORE-HEAR", "1") + sieveLine(2, "BEFORE-HEAR", "1", "Eaten", "pod", plain("a", "1", "9")),
			"sieve [pods v1 pod: WatchOpen 1 ADDED 1, keys 1] (damaged line 2, byte 136: the text is not JSON) (damaged line 3, byte 213: what was heard has no object) (damaged line 4, byte 255: the delta is of an unknown type)"},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.log", c.in))
		if got := converttest.Tell(tr, err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Sieve's log has what the handler heard, which becomes recorded calls, and what the
// controller did, which becomes marks.
func TestSieveCallsAndMarks(t *testing.T) {
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.log", sent(1, "ADDED", "a", "1", "5")+heard(2, "Replaced", "a", "1", "5")+heard(3, "Sync", "a", "1", "5")+heard(4, "Deleted", "a", "1", "5")+
		sieveLine(5, "BEFORE-RECONCILE", "CassandraReconciler", "1")+sieveLine(6, "AFTER-REST-WRITE", "3", "Create", "pod", "CassandraReconciler", "NoError", "x", "a", plain("a", "1", "5"))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	r := tr.Resources[0]
	for _, c := range r.Handlers[0].Calls {
		got = append(got, fmt.Sprintf("%d s: %v %s %s→%s %v", c.At/1e9, c.Fn, r.Table.KeyText(c.Key), r.Table.RVText(c.OldRV), r.Table.RVText(c.RV), c.Initial))
	}
	for _, m := range tr.Marks {
		got = append(got, fmt.Sprintf("%d s: %s", m.At/1e9, m.Text))
	}
	const want = "1 s: OnAdd x/a →5 true, 2 s: OnUpdate x/a 5→5 false, 3 s: OnDelete x/a →5 false, " +
		"4 s: before reconcile CassandraReconciler 1, 5 s: after rest write 3 Create pod CassandraReconciler NoError x a"
	if s := strings.Join(got, ", "); s != want || tr.Header.Start != "2022-03-04T15:04:01Z" {
		t.Errorf("the trace begins at %s\n got %s\nwant %s", tr.Header.Start, s, want)
	}
}

func TestSieveMarksAreBounded(t *testing.T) {
	const sieveMarks = 10_000
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.log", strings.Repeat(sieveLine(1, "BEFORE-RECONCILE", "r", "1"), sieveMarks+5)))
	if err != nil || len(tr.Marks) != sieveMarks || converttest.Tell(tr, err) != "sieve (sieveMarks 5 )" {
		t.Errorf("got %s and %d marks", converttest.Tell(tr, err), len(tr.Marks))
	}
}

func FuzzSieve(f *testing.F) {
	converttest.Fuzz(f, logs.Sieve, sent(1, "ADDED", "a", "1", "5")+heard(2, "Replaced", "a", "1", "5")+heard(3, "Deleted", "a", "1", "5"), sent(1, "DELETED", "a", "1", "5")+heard(2, "Updated", "a", "1", "4"),
		sieveLine(5, "BEFORE-RECONCILE", "CassandraReconciler", "1"), strings.ReplaceAll(heard(1, "Sync", "a", "1", "5"), "2022/03/04 15:04:01", "2022-03-04T15:04:01.5Z "))
}
