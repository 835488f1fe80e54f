package controller

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// reportOf reports a recording of these lines. An informer of pods has listed at resourceVersion 10 and
// watches.
func reportOf(t *testing.T, lines ...string) *Report {
	t.Helper()
	const begin = `{"informerscope":"trace","version":1}
{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}
{"t":2,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":3,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":[{"metadata":{"name":"a","namespace":"shop","uid":"a","resourceVersion":"9"}},{"metadata":{"name":"z","namespace":"shop","uid":"z","resourceVersion":"8"}}]}}
{"t":3,"id":1,"end":{"how":"eof"}}
{"t":4,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=10"}}
{"t":5,"id":2,"resp":{"status":200,"contentType":"application/json"}}
`
	var log worker.Log
	tr, err := file.Read(strings.NewReader(begin+strings.Join(lines, "\n")+"\n"), format.Options{OtherLine: log.Line})
	if err != nil || tr.ProblemCount > 0 {
		t.Fatal(err, tr.Problems)
	}
	return Summarise(tr, &log)
}

func event(at, typ, name, uid, rv string) string {
	return `{"t":` + at + `,"id":2,"event":{"type":"` + typ + `","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"shop","uid":"` + uid + `","resourceVersion":"` + rv + `"}}}}`
}

func begin(at, id string) string {
	return `{"t":` + at + `,"id":` + id + `,"reconcile":{"controller":"web","key":"shop/web","worker":1}}`
}

func end(at, id, result string) string {
	return `{"t":` + at + `,"id":` + id + `,"reconciled":{` + result + `,"took":1}}`
}

func create(at, id, in string) string {
	return `{"t":` + at + `,"id":` + id + `,"in":` + in + `,"write":{"verb":"create","url":"/api/v1/namespaces/shop/pods","generateName":"web-"}}`
}

func wrote(at, id, answer string) string {
	return `{"t":` + at + `,"id":` + id + `,"wrote":{` + answer + `}}`
}

const done = `"result":"done"`

// onlyController is the only controller of a report.
func onlyController(t *testing.T, r *Report) *Controller {
	t.Helper()
	if len(r.Controllers) != 1 {
		t.Fatalf("%+v", r)
	}
	return &r.Controllers[0]
}

func TestStaleReconcileAndDuplicate(t *testing.T) {
	lines := []string{
		begin("100", "11"), create("110", "12", "11"), wrote("120", "12", `"status":201,"key":"shop/web-a","rv":"12","uid":"a"`), end("130", "11", done),
		begin("200", "13"), create("210", "14", "13"), wrote("220", "14", `"status":201,"key":"shop/web-b","rv":"13","uid":"b"`), end("230", "13", done),
		event("240", "ADDED", "web-a", "a", "12"), event("250", "ADDED", "web-b", "b", "13"),
		begin("300", "15"), end("310", "15", done),
	}
	c := onlyController(t, reportOf(t, lines...))
	if len(c.Stale) != 1 || c.Stale[0].Reconcile != 13 || c.Stale[0].Last.Object != "shop/web-a" || c.Stale[0].Last.Received != 240 || c.Stale[0].Unseen != 1 {
		t.Errorf("%+v", c.Stale)
	}
	if len(c.Duplicates) != 1 || c.Duplicates[0].First != "shop/web-a" || c.Duplicates[0].Second != "shop/web-b" || c.Duplicates[0].Received != 240 {
		t.Errorf("%+v", c.Duplicates)
	}
	if b := c.Writes.Echoes; len(b) != 2 || b[0].Duration != 120 || b[1].Duration != 30 {
		t.Errorf("%+v", b)
	}
	// Where the informer has the first one before the second reconcile begins, all is well.
	early := append(append(lines[:4:4], event("150", "ADDED", "web-a", "a", "12")), lines[4:8]...)
	if c := onlyController(t, reportOf(t, append(early, lines[9:]...)...)); len(c.Stale)+len(c.Duplicates) != 0 {
		t.Errorf("%+v, %+v", c.Stale, c.Duplicates)
	}
}

// An informer whose selector lets an object pass no longer, or not yet, has no part in what the cache has of it.
func TestStaleAmongSelectors(t *testing.T) {
	lines := []string{event("9", "ADDED", "m", "m", "11")}
	for i, items := range []string{`{"metadata":{"name":"m","namespace":"shop","uid":"m","resourceVersion":"11"}}`, ``} {
		list, watch, selector := strconv.Itoa(20+2*i), strconv.Itoa(21+2*i), "?labelSelector=n%3D"+strconv.Itoa(i)
		lines = append(lines, `{"t":10,"id":`+list+`,"req":{"method":"GET","url":"/api/v1/pods`+selector+`"}}`, `{"t":11,"id":`+list+`,"resp":{"status":200,"contentType":"application/json"}}`,
			`{"t":12,"id":`+list+`,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"11"},"items":[`+items+`]}}`, `{"t":12,"id":`+list+`,"end":{"how":"eof"}}`,
			`{"t":13,"id":`+watch+`,"req":{"method":"GET","url":"/api/v1/pods`+selector+`&watch=true&resourceVersion=11"}}`, `{"t":14,"id":`+watch+`,"resp":{"status":200,"contentType":"application/json"}}`)
	}
	on := func(watch, line string) string { return strings.Replace(line, `"id":2,`, `"id":`+watch+`,`, 1) }
	update := func(at, id, in, rv string) string {
		return `{"t":` + at + `,"id":` + id + `,"in":` + in + `,"write":{"verb":"update","url":"/api/v1/namespaces/shop/pods/m","key":"shop/m"}}` + "\n" + wrote(at, id, `"status":200,"rv":"`+rv+`","uid":"m"`)
	}
	lines = append(lines, begin("100", "31"), update("110", "32", "31", "12"), end("120", "31", done),
		event("130", "MODIFIED", "m", "m", "12"), on("21", event("130", "DELETED", "m", "m", "12")), on("23", event("130", "ADDED", "m", "m", "12")),
		begin("200", "33"), update("210", "34", "33", "13"), end("220", "33", done),
		event("230", "MODIFIED", "m", "m", "13"), begin("300", "35"), end("310", "35", done), "late",
		event("400", "MODIFIED", "m", "m", "14"), on("23", event("400", "DELETED", "m", "m", "14")), on("21", event("400", "ADDED", "m", "m", "14")))
	late := slices.Index(lines, "late")
	for i, at := range []string{"230", "350"} { // before the last reconcile begins, and after that
		brings := on("23", event(at, "MODIFIED", "m", "m", "13"))
		all := slices.Insert(slices.Delete(slices.Clone(lines), late, late+1), late-2*(1-i), brings)
		if c := onlyController(t, reportOf(t, all...)); len(c.Stale) != i {
			t.Errorf("%s: %+v", brings, c.Stale)
		}
	}
}

// An event that has come over the wire is not in the cache before the informer has put it there. What a reconcile read tells.
func TestReadBeforeTheInformerHadStored(t *testing.T) {
	begins := []string{
		begin("100", "11"), create("110", "12", "11"), wrote("120", "12", `"status":201,"key":"shop/web-a","rv":"12","uid":"a"`), end("130", "11", done),
		event("190", "ADDED", "web-a", "a", "12"), begin("200", "13"),
	}
	ends := []string{
		create("210", "14", "13"), wrote("220", "14", `"status":201,"key":"shop/web-b","rv":"13","uid":"b"`), end("230", "13", done),
		event("240", "ADDED", "web-b", "b", "13"), begin("300", "15"), end("310", "15", done),
	}
	for _, x := range []struct {
		what, saw, in string
		stale         bool
	}{
		{"nothing is known", ``, "13", false},
		{"the cache had come less far", `"kind":"Pod","rv":"11"`, "13", true},
		{"the cache had come as far", `"kind":"Pod","rv":"12"`, "13", false},
		{"the cache had come further", `"kind":"Pod","rv":"13"`, "13", false},
		{"the cache of another kind", `"kind":"Secret","rv":"11"`, "13", false},
		{"the same name in another group", `"kind":"Pod.metrics.k8s.io","rv":"11"`, "13", false},
		{"an older version of the object", `"kind":"Pod","key":"shop/web-a","rv":"11"`, "13", true},
		{"the version that was written", `"kind":"Pod","key":"shop/web-a","rv":"12"`, "13", false},
		{"an old version of another object", `"kind":"Pod","key":"shop/z","rv":"8"`, "13", false},
		{"a version that is no number", `"kind":"Pod","rv":"x"`, "13", false},
		{"an earlier reconcile read it", `"kind":"Pod","rv":"11"`, "11", false},
		{"a reconcile that nobody knows", `"kind":"Pod","rv":"11"`, "99", false},
	} {
		lines := slices.Clone(begins)
		if x.saw != "" {
			lines = append(lines, `{"t":205,"in":`+x.in+`,"saw":{`+x.saw+`}}`)
		}
		r := reportOf(t, append(lines, ends...)...)
		c := onlyController(t, r)
		if stale := len(c.Stale) == 1 && c.Stale[0].Queued() && c.Stale[0].Unseen == 1 && c.Stale[0].Last.Received == 190; stale != x.stale || len(c.Stale) > 1 {
			t.Errorf("%s: %+v", x.what, c.Stale)
		}
		if twice := len(c.Duplicates) == 1 && c.Duplicates[0].First == "shop/web-a"; twice != x.stale || len(c.Duplicates) > 1 {
			t.Errorf("%s: %+v", x.what, c.Duplicates)
		}
		for _, g := range r.Guards() {
			for i, k := range g.Guards {
				want := Helped{Yes: 1}
				if !x.stale {
					want = Helped{}
				} else if k.Name == "last-seen annotation" { // of another object
					want = Helped{No: 1}
				}
				if k.Duplicates != want || k.Stale != want || k.Longest != 0 {
					t.Errorf("%s: the guard %s helps %+v and %+v", x.what, g.Guards[i].Name, k.Stale, k.Duplicates)
				}
			}
		}
	}
}

// A create whose answer was lost has made what the watch brings later. What another answer names, what was there before, and
// what has another name is not taken for it.
func TestACreateWhoseAnswerWasLost(t *testing.T) {
	lost := []string{
		begin("100", "11"), create("110", "12", "11"), wrote("120", "12", `"status":0,"how":"reset"`), end("130", "11", `"result":"error","error":"*url.Error"`),
		begin("200", "13"), create("210", "14", "13"), wrote("220", "14", `"status":201,"key":"shop/web-44444","rv":"13","uid":"b"`), end("230", "13", done),
	}
	brings := func(names ...string) *Controller {
		lines := slices.Clone(lost)
		for i, name := range names {
			lines = append(lines, event(strconv.Itoa(240+i), "ADDED", name, name, strconv.Itoa(12+i)))
		}
		return onlyController(t, reportOf(t, lines...))
	}
	c := brings("web-x7k2z", "web-44444")
	if len(c.Duplicates) != 1 || c.Duplicates[0].First != "shop/web-x7k2z" || c.Duplicates[0].Second != "shop/web-44444" || c.Duplicates[0].Received != 240 || !c.Duplicates[0].Lost {
		t.Errorf("%+v", c.Duplicates)
	}
	if c.Writes.Unanswered != 1 || c.Writes.Accepted != 1 || len(c.Writes.Echoes) != 1 {
		t.Errorf("%+v", c.Writes)
	}
	for _, names := range [][]string{{"web-44444"}, {"web-44444", "web-1", "web-aeiou", "web-x7k2zz", "db-x7k2z", "web"}} {
		if c := brings(names...); len(c.Duplicates) > 0 {
			t.Errorf("%v: %+v", names, c.Duplicates)
		}
	}
	// It came before the next reconcile began, which could know of it.
	early := append(append(slices.Clone(lost[:4]), event("150", "ADDED", "web-x7k2z", "a", "12")), lost[4:]...)
	if c := onlyController(t, reportOf(t, early...)); len(c.Duplicates) > 0 {
		t.Errorf("%+v", c.Duplicates)
	}
}

// A write that a selector keeps from the informer counts as brought when something later comes, and
// so does one that a bookmark passes.
func TestArrivals(t *testing.T) {
	written := func(url, answer string, after ...string) *Controller {
		verb := "update"
		if strings.HasPrefix(url, "-") {
			verb, url = "delete", url[1:]
		}
		lines := []string{
			begin("100", "11"),
			`{"t":110,"id":12,"in":11,"write":{"verb":"` + verb + `","url":"` + url + `","key":"shop/a","rv":"9"}}`,
			wrote("120", "12", answer), end("130", "11", done),
		}
		return onlyController(t, reportOf(t, append(lines, after...)...))
	}
	const pod = "/api/v1/namespaces/shop/pods/a"
	for _, c := range []struct {
		what string
		got  *Controller
		seen int64 // -1 for a write that nothing is known about
	}{
		{"its own event", written(pod, `"status":200,"rv":"12"`, event("200", "MODIFIED", "a", "a", "12")), 200},
		{"an older event", written(pod, `"status":200,"rv":"12"`, event("200", "MODIFIED", "a", "a", "11")), 0},
		{"somebody else's later event", written(pod, `"status":200,"rv":"12"`, event("200", "MODIFIED", "z", "z", "13")), 200},
		{"a bookmark", written(pod, `"status":200,"rv":"12"`, `{"t":300,"id":2,"event":{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"12"}}}}`), 300},
		{"no event", written(pod, `"status":200,"rv":"12"`), 0},
		{"nothing changed", written(pod, `"status":200,"rv":"9"`), -1},
		{"another resource", written("/api/v1/namespaces/shop/secrets/a", `"status":200,"rv":"12"`, event("200", "MODIFIED", "a", "a", "12")), -1},
		{"refused", written(pod, `"status":409,"reason":"Conflict"`, event("200", "MODIFIED", "a", "a", "12")), -1},
		{"a dry run", written(pod+"?dryRun=All", `"status":200,"rv":"12"`, event("200", "MODIFIED", "a", "a", "12")), -1},
		{"a deletion", written("-"+pod, `"status":200,"uid":"a"`, event("200", "MODIFIED", "z", "z", "14"), event("210", "DELETED", "a", "a", "15")), 210},
		{"the deletion of another one", written("-"+pod, `"status":200,"uid":"x"`, event("210", "DELETED", "a", "a", "15")), 0},
		{"a deletion that waits", written("-"+pod, `"status":200,"uid":"a","rv":"12","deleting":true`, event("200", "MODIFIED", "a", "a", "12"), event("210", "DELETED", "a", "a", "15")), 200},
		{"a deletion that a later list shows", written("-"+pod, `"status":200,"uid":"a"`,
			`{"t":390,"id":2,"end":{"how":"eof"}}`, `{"t":400,"id":3,"req":{"method":"GET","url":"/api/v1/pods"}}`, `{"t":401,"id":3,"resp":{"status":200,"contentType":"application/json"}}`,
			`{"t":402,"id":3,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"20"},"items":[]}}`, `{"t":402,"id":3,"end":{"how":"eof"}}`), 402},
	} {
		switch b := c.got.Writes.Echoes; {
		case c.seen < 0 && len(b) > 0, c.seen >= 0 && (len(b) != 1 || b[0].Received != c.seen):
			t.Errorf("%s: %+v", c.what, c.got.Writes)
		}
	}
}

func TestPutOff(t *testing.T) {
	work := func(at, fn, more string) string {
		return `{"t":` + at + `,"work":{"queue":"web","fn":"` + fn + `","key":"shop/web"` + more + `}}`
	}
	c := onlyController(t, reportOf(t,
		work("90", "Add", ""), work("91", "Add", ""), work("99", "Get", ""),
		begin("100", "11"), end("130", "11", `"result":"error","error":"Conflict"`), work("131", "AddRateLimited", ""), work("132", "When", `,"after":50`),
		begin("200", "12"), end("230", "12", `"result":"requeueAfter","after":70`), work("231", "AddAfter", `,"after":70`),
		begin("310", "13"), work("320", "AddAfter", `,"after":40`), end("330", "13", done),
		begin("400", "14"), end("430", "14", `"result":"requeue"`),
	))
	got, err := json.Marshal(c.PutOff)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"key":"shop/web","at":130,"by":"Conflict","delay":50,"until":200},` +
		`{"key":"shop/web","at":230,"by":"requeueAfter","delay":70,"until":310},` +
		`{"key":"shop/web","at":320,"by":"AddAfter","delay":40,"until":400},` +
		`{"key":"shop/web","at":430,"by":"requeue","delay":0,"until":0}]`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if q := c.Queue; q == nil || q.Adds != 5 || q.Deduplicated != 1 || q.Gets != 1 || q.Longest != 9 {
		t.Errorf("%+v", q)
	}
}

// A write without its reconcile's context belongs to the only reconcile under way, or to the only one whose key is that
// of the object, if there is one. Events and Leases belong to no reconcile.
func TestWhoWrote(t *testing.T) {
	alone := reportOf(t, begin("100", "11"), create("110", "12", "0"), wrote("120", "12", `"status":201,"key":"shop/web-a","rv":"12"`), end("130", "11", done))
	if c := onlyController(t, alone); c.Writes.Guessed != 1 || len(c.Writes.Echoes) != 1 || alone.Unowned != 0 {
		t.Errorf("%+v", alone)
	}
	other := strings.Replace(begin("101", "21"), "shop/web", "shop/b", 1)
	two := reportOf(t, begin("100", "11"), other, create("110", "12", "0"), wrote("120", "12", `"status":201,"key":"shop/web-a","rv":"12"`))
	if c := onlyController(t, two); c.Writes.Accepted != 0 || two.Unowned != 1 {
		t.Errorf("%+v", two)
	}
	update := strings.Replace(strings.Replace(create("110", "12", "0"), "create", "update", 1), `"generateName"`, `"key":"shop/b","x"`, 1)
	keyed := reportOf(t, begin("100", "11"), other, update, wrote("120", "12", `"status":200,"key":"shop/b","rv":"12"`))
	if c := onlyController(t, keyed); c.Writes.Guessed != 1 || c.Writes.Accepted != 1 || keyed.Unowned != 0 || len(c.Writes.Echoes) == 1 && c.Writes.Echoes[0].Key != "shop/b" {
		t.Errorf("%+v", keyed)
	}
	second := strings.Replace(strings.Replace(other, "101", "102", 1), "21", "31", 1)
	three := reportOf(t, begin("100", "11"), other, second, update, wrote("120", "12", `"status":200,"key":"shop/b","rv":"12"`))
	if three.Unowned != 1 {
		t.Errorf("%+v", three)
	}
	for _, path := range []string{"/api/v1/namespaces/shop/events", "/apis/events.k8s.io/v1/namespaces/shop/events", "/apis/coordination.k8s.io/v1/namespaces/shop/leases"} {
		beside := reportOf(t, begin("100", "11"), strings.Replace(create("110", "12", "0"), "/api/v1/namespaces/shop/pods", path, 1), end("130", "11", done))
		if c := onlyController(t, beside); c.Writes.Guessed != 0 || beside.Unowned != 1 {
			t.Errorf("%s: %+v", path, beside)
		}
	}
}
