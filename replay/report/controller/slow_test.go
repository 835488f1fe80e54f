package controller

import (
	"fmt"
	"testing"
)

// TestSlowReconciles looks which reconciles keep other keys waiting. Times are in tenths of a second.
func TestSlowReconciles(t *testing.T) {
	at := func(tenths int) string { return fmt.Sprint(100 + tenths*100_000_000) }
	queue := func(tenths int, fn, key string) string {
		return fmt.Sprintf(`{"t":%s,"work":{"queue":"web","fn":%q,"key":%q}}`, at(tenths), fn, key)
	}
	id := 100
	reconcile := func(worker, from, to int, key string) []string {
		id++
		return []string{queue(from, "Get", key),
			fmt.Sprintf(`{"t":%s,"id":%d,"reconcile":{"controller":"web","key":%q,"worker":%d}}`, at(from), id, key, worker),
			fmt.Sprintf(`{"t":%s,"id":%d,"reconciled":{"result":"done","took":%d}}`, at(to), id, (to-from)*100_000_000), queue(to, "Done", key)}
	}
	quick := []string{}
	for i := range 3 {
		key := fmt.Sprint("quick", i)
		quick = append(append(quick, queue(i, "Add", key)), reconcile(1, i, i, key)...)
	}
	other := append([]string{queue(3, "Add", "o")}, reconcile(2, 3, 3, "o")...)
	behind := func(from, to int) []string { // b waits while a is reconciled
		slow := reconcile(1, 10, to, "a")
		return append(append(append([]string{queue(10, "Add", "a")}, slow[:2]...), queue(from, "Add", "b")), append(slow[2:], reconcile(1, to, to, "b")...)...)
	}
	for _, c := range []struct {
		what  string
		lines [][]string
		want  string
	}{
		{"a key waits", [][]string{quick, behind(11, 90)}, "a 8s b 7.9s 1"},
		{"it waits for five seconds", [][]string{quick, behind(40, 90)}, "a 8s b 5s 1"},
		{"it waits for less", [][]string{quick, behind(41, 90)}, ""},
		{"the other worker has nothing to do", [][]string{quick, other, behind(11, 90)}, ""},
		{"no reconcile is quicker", [][]string{behind(11, 90)[:7]}, ""},
		{"the reconcile doesn't return", [][]string{quick, behind(11, 90)[:3]}, ""},
	} {
		var lines []string
		for _, l := range c.lines {
			lines = append(lines, l...)
		}
		got := ""
		for _, r := range onlyController(t, reportOf(t, lines...)).Slow {
			got += fmt.Sprintf("%s %gs %s %gs %d", r.Key, float64(r.Took)/1e9, r.Behind, float64(r.Waited)/1e9, r.Keys)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestNoOpWrites looks which writes change nothing.
func TestNoOpWrites(t *testing.T) {
	id := 100
	write := func(verb, path, rv, answer string) []string {
		id++
		return []string{fmt.Sprintf(`{"t":%d,"id":%d,"in":11,"write":{"verb":%q,"url":"/api/v1/namespaces/shop/%s","key":"shop/a","rv":%q}}`, id, id, verb, path, rv),
			fmt.Sprintf(`{"t":%d,"id":%d,"wrote":{"status":200,%s}}`, id, id, answer)}
	}
	for _, c := range []struct {
		what   string
		writes [][]string
		want   string
	}{
		{"an update that was answered with what it sent", [][]string{write("update", "pods/a", "9", `"rv":"12"`), write("update", "pods/a", "13", `"rv":"13"`)}, "pods 1 1 1"},
		{"a patch that was answered as before", [][]string{write("patch", "pods/a", "", `"rv":"9"`), write("patch", "pods/a", "", `"rv":"9"`)}, "pods 1 1 1"},
		{"one that changed something", [][]string{write("patch", "pods/a", "", `"rv":"12"`), write("patch", "pods/a", "", `"rv":"12"`), write("patch", "pods/a", "", `"rv":"13"`)}, "pods 1 1 2"},
		{"the first write", [][]string{write("update", "pods/a", "9", `"rv":"9"`)}, ""},
		{"the first write of the status", [][]string{write("update", "pods/a", "9", `"rv":"12"`), write("update", "pods/a/status", "12", `"rv":"12"`)}, ""},
		{"the update that removes the last finalizer", [][]string{write("update", "pods/a", "9", `"rv":"12"`), write("update", "pods/a", "13", `"rv":"13","deleting":true`)}, ""},
		{"an answer without an object", [][]string{write("patch", "pods/a", "", `"key":""`), write("patch", "pods/a", "", `"key":""`)}, ""},
	} {
		lines := []string{begin("100", "11")}
		for _, w := range c.writes {
			lines = append(lines, w...)
		}
		got := ""
		for _, r := range onlyController(t, reportOf(t, append(lines, end("900", "11", done))...)).NoOps {
			got += fmt.Sprint(r.Resource, " ", r.Times, " ", r.All, " ", r.Total)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
