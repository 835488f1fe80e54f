package audit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/audit"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
)

const auditTold = "audit [pods v1 Pod: ListBegin 1 ListEnd 1 WatchOpen 1 ADDED 18 MODIFIED 68 DELETED 18, keys 17]" +
	" [leases.coordination.k8s.io v1 Lease: ListBegin 1 ListItem 23 ListEnd 1 WatchOpen 1 MODIFIED 4, keys 23]" +
	" [jobs.batch v1 Job: ListBegin 1 ListEnd 1 WatchOpen 1 ADDED 1 MODIFIED 4 DELETED 1, keys 1]" +
	" [deployments.apps v1 Deployment: ListBegin 1 ListEnd 1 WatchOpen 1 ADDED 1 MODIFIED 63 DELETED 1, keys 1]" +
	" [services v1 Service: ListBegin 1 ListItem 1 ListEnd 1 WatchOpen 1 ADDED 1 DELETED 1, keys 2]" +
	" [secrets v1 Secret: ListBegin 1 ListEnd 1 WatchOpen 1 ADDED 1 DELETED 1, keys 1]" +
	" [namespaces v1 Namespace: ListBegin 1 ListItem 5 ListEnd 1 WatchOpen 1 ADDED 1 MODIFIED 3 DELETED 1, keys 6]" +
	" [configmaps v1 ConfigMap: ListBegin 1 ListItem 14 ListEnd 1 WatchOpen 1 ADDED 6 MODIFIED 42 DELETED 5, keys 19]" +
	" [serviceaccounts v1 ServiceAccount: WatchOpen 1 ADDED 1 DELETED 1, keys 1]" +
	" (auditAnswers 0 ) (auditUnseen 25 ) (auditNoVersion 12 ) (auditBeforeList 14 )"

func TestAudit(t *testing.T) {
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "audit.jsonl.gz"))
	if got := converttest.Summary(tr, err); got != auditTold {
		t.Errorf("got  %s\nwant %s", got, auditTold)
	}
	if tr != nil && tr.Header.Start != "2026-11-20T20:56:35.233406Z" {
		t.Errorf("it starts at %s", tr.Header.Start)
	}
}

// What is worked out from the audit log was truly sent to a watch of the same
// time, in that order; what is missing is what no answer tells.
func TestAuditIsWhatWatchersGot(t *testing.T) {
	_, log, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "audit.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	_, watch, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "pods.watch.ndjson.gz"))
	if err != nil {
		t.Fatal(err)
	}
	got, want := converttest.Versions(log, "pods"), converttest.Versions(watch, "pods")
	i := 0
	for _, x := range got {
		// When an object of a collection is gone, only its version before is known.
		n := slices.IndexFunc(want[i:], func(y string) bool { return x == y || deleted(x) != "" && deleted(x) == deleted(y) })
		if n < 0 {
			t.Errorf("%s was not sent, or not then", x)
			continue
		}
		i += n + 1
	}
	if len(got) < len(want)*7/10 {
		t.Errorf("%d events, of %d that were sent", len(got), len(want))
	}
}

// deleted is which object an event says is deleted, "" for none.
func deleted(event string) string {
	what, _, _ := strings.Cut(event, "@")
	if !strings.HasPrefix(what, "DELETED ") {
		return ""
	}
	return what
}

func configMap(name, rv, more string) string {
	return `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"x","uid":"u-` + name + `","resourceVersion":"` + rv + `"` + more + `}}`
}

func TestAuditAnswers(t *testing.T) {
	const marked = `,"deletionTimestamp":"2026-11-20T20:00:00Z","deletionGracePeriodSeconds":0`
	create := converttest.AuditLine("create", "configmaps", "a", 1, 201, converttest.Answer(configMap("a", "5", "")))
	status := converttest.Answer(`{"kind":"Status","apiVersion":"v1","status":"Success"}`)
	for _, c := range []struct{ name, log, want string }{
		{"a change", create + converttest.AuditLine("patch", "configmaps", "a", 2, 200, converttest.Answer(configMap("a", "6", ""))), "ADDED x/a/u-a@5, MODIFIED x/a/u-a@6"},
		{"an update that creates", converttest.AuditLine("update", "configmaps", "a", 1, 201, converttest.Answer(configMap("a", "5", ""))), "ADDED x/a/u-a@5"},
		{"a change of nothing", create + converttest.AuditLine("patch", "configmaps", "a", 2, 200, converttest.Answer(configMap("a", "5", ""))), "ADDED x/a/u-a@5"},
		{"a failed one", create + converttest.AuditLine("update", "configmaps", "a", 2, 409, converttest.Answer(`{"kind":"Status","code":409}`)), "ADDED x/a/u-a@5"},
		{"a dry run", create + strings.Replace(converttest.AuditLine("patch", "configmaps", "a", 2, 200, converttest.Answer(configMap("a", "5", ""))), `/configmaps/a"`, `/configmaps/a?dryRun=All"`, 1), "ADDED x/a/u-a@5"},
		{"a dry deletion", create + converttest.AuditLine("delete", "configmaps", "a", 2, 200, `,"requestObject":{"kind":"DeleteOptions","dryRun":["All"]}`+status), "ADDED x/a/u-a@5"},
		{"a deletion that answers a Status", create + converttest.AuditLine("delete", "configmaps", "a", 2, 200, status), "ADDED x/a/u-a@5, DELETED x/a/u-a@5"},
		{"a deletion of what was never seen", converttest.AuditLine("update", "configmaps", "b", 1, 200, converttest.Answer(configMap("b", "5", ""))) + converttest.AuditLine("delete", "configmaps", "a", 2, 200, status), "MODIFIED x/b/u-b@5, DELETED x/a/@5"},
		{"a graceful deletion", create + converttest.AuditLine("delete", "configmaps", "a", 2, 200, converttest.Answer(configMap("a", "6", strings.Replace(marked, `Seconds":0`, `Seconds":30`, 1)))) +
			converttest.AuditLine("delete", "configmaps", "a", 3, 200, converttest.Answer(configMap("a", "8", marked))), "ADDED x/a/u-a@5, MODIFIED x/a/u-a@6, DELETED x/a/u-a@8"},
		{"finalizers", create + converttest.AuditLine("delete", "configmaps", "a", 2, 200, converttest.Answer(configMap("a", "6", marked+`,"finalizers":["f"]`))) +
			converttest.AuditLine("update", "configmaps", "a", 3, 200, converttest.Answer(configMap("a", "6", marked))), "ADDED x/a/u-a@5, MODIFIED x/a/u-a@6, DELETED x/a/u-a@6"},
		{"a collection", create + converttest.AuditLine("deletecollection", "configmaps", "", 2, 200, converttest.Answer(`{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[`+configMap("a", "5", "")+","+configMap("kept", "4", `,"finalizers":["f"]`)+`]}`)),
			"ADDED x/a/u-a@5, DELETED x/a/u-a@9"},
		{"a token", create + converttest.AuditLine("create", "configmaps", "a", 2, 201, converttest.Answer(`{"kind":"TokenRequest","metadata":{"name":"a","resourceVersion":"7"},"status":{"token":"SECRET"}}`)), "ADDED x/a/u-a@5"},
	} {
		c.log = strings.Replace(c.log, `"resource":"configmaps","namespace":"x","name":"a","apiVersion":"v1"},"responseStatus":{"code":201},"responseObject":{"kind":"TokenRequest"`, `"resource":"configmaps","subresource":"token","namespace":"x","name":"a","apiVersion":"v1"},"responseStatus":{"code":201},"responseObject":{"kind":"TokenRequest"`, 1)
		written, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("a.log", c.log))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := converttest.Events(tr); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if strings.Contains(written, "SECRET") {
			t.Errorf("%s: a token is in the trace", c.name)
		}
	}
}

// A Scale and a PartialObjectMetadata tell a part of an object: the rest is as
// it was.
func TestAuditParts(t *testing.T) {
	deployment := func(rv, labels string, replicas int) string {
		return fmt.Sprintf(`{"kind":"Deployment","apiVersion":"v1","metadata":{"name":"a","namespace":"x","resourceVersion":"%s","labels":{%s}},"spec":{"replicas":%d,"paused":true}}`, rv, labels, replicas)
	}
	log := converttest.AuditLine("create", "deployments", "a", 1, 201, converttest.Answer(deployment("5", "", 1))) +
		strings.Replace(converttest.AuditLine("patch", "deployments", "a", 2, 200, converttest.Answer(`{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"a","namespace":"x","resourceVersion":"6"},"spec":{"replicas":3}}`)), `{"resource"`, `{"subresource":"scale","resource"`, 1) +
		converttest.AuditLine("patch", "deployments", "a", 3, 200, converttest.Answer(`{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"x","resourceVersion":"7","labels":{"b":"c"}}}`))
	written, _, err := converttest.Converted(t, convert.Options{}, converttest.Text("a.log", log))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{deployment("6", "", 3), strings.Replace(deployment("7", `"b":"c"`, 3), `"namespace":"x","resourceVersion":"7",`, `"namespace":"x","resourceVersion":"7",`, 1)} {
		if !strings.Contains(written, `"event":{"type":"MODIFIED","object":`+want) {
			t.Errorf("there is no %s in\n%s", want, written)
		}
	}
}

// Several servers write into one log, or each its own: what counts is the order
// of the resourceVersions.
func TestAuditOfSeveralServers(t *testing.T) {
	var lines, want []string
	for i := range 300 {
		typ, verb, code := "MODIFIED", "update", 200
		if i == 0 {
			typ, verb, code = "ADDED", "create", 201
		}
		rv := fmt.Sprint(100 + i)
		lines = append(lines, converttest.AuditLine(verb, "configmaps", "a", float64(i)/10, code, converttest.Answer(configMap("a", rv, ""))))
		want = append(want, typ+" x/a/u-a@"+rv)
	}
	const seed = 604
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(250, func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	servers := make([]string, 3)
	for i, line := range lines {
		servers[i%3] += line
	}
	slices.Sort(lines[250:])
	for name, inputs := range map[string][]convert.Input{
		"one log":    {converttest.Text("audit.log", strings.Join(lines, ""))},
		"three logs": {converttest.Text("a.log", servers[0]), converttest.Text("b.log", servers[1]), converttest.Text("c.log", servers[2])},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, inputs...)
		if err != nil {
			t.Fatal(err)
		}
		if got := converttest.Events(tr); got != strings.Join(want, ", ") {
			t.Errorf("%s, seed %d: got %s", name, seed, got)
		}
	}
}

// The window that puts a log in order is bounded, and what is too late for it is
// counted.
func TestAuditTooLate(t *testing.T) {
	log := converttest.AuditLine("create", "configmaps", "a", 1, 201, converttest.Answer(configMap("a", "5", ""))) +
		converttest.AuditLine("update", "configmaps", "a", 2, 200, converttest.Answer(configMap("a", "9", ""))) +
		converttest.AuditLine("create", "configmaps", "b", 50, 201, converttest.Answer(configMap("b", "20", ""))) +
		converttest.AuditLine("create", "configmaps", "c", 3, 201, converttest.Answer(configMap("c", "7", "")))
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("a.log", log))
	const want = "audit [configmaps v1 ConfigMap: WatchOpen 1 ADDED 2 MODIFIED 1, keys 2] (auditAnswers 0 ) (auditLate 1 )"
	if got := converttest.Summary(tr, err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAuditLowerLevels(t *testing.T) {
	metadata := func(s string) string { return strings.Replace(s, "RequestResponse", "Metadata", 1) }
	request := func(s string) string { return strings.Replace(s, "RequestResponse", "Request", 1) }
	asked := `,"requestObject":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"x"},"data":{"k":"v"}}`
	for _, c := range []struct{ name, log, want string }{
		{
			"Metadata", metadata(converttest.AuditLine("create", "configmaps", "a", 1, 201, "")) + metadata(converttest.AuditLine("patch", "configmaps", "a", 2, 200, "")) + metadata(converttest.AuditLine("delete", "configmaps", "a", 3, 200, "")) +
				metadata(converttest.AuditLine("create", "configmaps", "", 4, 201, "")),
			"audit [configmaps v1 : WatchOpen 1 ADDED 1 MODIFIED 1 DELETED 1, keys 1] (auditNoObjects 3 ) (auditAnswers 0 ) (auditNameless 1 )",
		},
		{
			"Request", request(converttest.AuditLine("create", "configmaps", "a", 1, 201, asked)) + request(converttest.AuditLine("patch", "configmaps", "a", 2, 200, `,"requestObject":[{"op":"remove","path":"/data"}]`)) + request(converttest.AuditLine("delete", "configmaps", "a", 3, 200, `,"requestObject":{"kind":"DeleteOptions"}`)),
			"audit [configmaps v1 ConfigMap: WatchOpen 1 ADDED 1 MODIFIED 1 DELETED 1, keys 1] (auditRequest 3 ) (auditAnswers 0 )",
		},
	} {
		written, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("a.log", c.log))
		if got := converttest.Summary(tr, err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if c.name == "Request" && !strings.Contains(written, `"data":{"k":"v"}`) {
			t.Errorf("what was asked for isn't in %s", written)
		}
	}
}

func TestAuditDamage(t *testing.T) {
	line := converttest.AuditLine("create", "configmaps", "a", 1, 201, converttest.Answer(configMap("a", "5", "")))
	for _, c := range []struct{ name, log, want string }{
		{"cut", line + line[:200], "audit [configmaps v1 ConfigMap: WatchOpen 1 ADDED 1, keys 1] (auditAnswers 0 ) (cut line 2, byte 477: the text is not JSON)"},
		{"no answers", strings.Replace(line, "ResponseComplete", "RequestReceived", 1), "refused: a.log: none of the 1 audit events is the answer to a change (stage ResponseComplete; create, update, patch, delete), or a whole list"},
		{"too deep", strings.Replace(line, `"u-a"`, strings.Repeat("[", 2000), 1) + line, "audit [configmaps v1 ConfigMap: WatchOpen 1 ADDED 1, keys 1] (auditAnswers 0 ) (damaged line 1, byte 0: the value nests deeper than 1000)"},
		{"begun within a line", line[300:] + line, "audit [configmaps v1 ConfigMap: WatchOpen 1 ADDED 1, keys 1] (auditAnswers 0 ) (damaged line 1, byte 0: the text is not JSON)"},
		{"of another shape", line + strings.Replace(line, `{"code":201}`, `[]`, 1), "audit [configmaps v1 ConfigMap: WatchOpen 1 ADDED 1, keys 1] (auditAnswers 0 ) (damaged line 2, byte 477: responseStatus is an array, and should be an object)"},
		{"as webhooks are sent them", `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[` + strings.TrimSpace(line) + `]}`, "audit [configmaps v1 ConfigMap: WatchOpen 1 ADDED 1, keys 1] (auditAnswers 0 )"},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("a.log", c.log))
		if got := converttest.Summary(tr, err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Logs that overlap tell the same thing twice.
func TestAuditTwice(t *testing.T) {
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "audit.jsonl.gz"), converttest.Input(t, "audit.jsonl.gz"))
	got, _, _ := strings.Cut(converttest.Summary(tr, err), " (")
	if want, _, _ := strings.Cut(auditTold, " ("); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What is wrong with one of several logs says which it is.
func TestAuditDamageInOneOfSeveral(t *testing.T) {
	a := converttest.AuditLine("create", "configmaps", "a", 1, 201, converttest.Answer(configMap("a", "5", "")))
	b := converttest.AuditLine("create", "configmaps", "b", 2, 201, converttest.Answer(configMap("b", "6", "")))
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("a.log", a), converttest.Text("b.log", b+b[:100]+"\n"))
	const want = "audit [configmaps v1 ConfigMap: WatchOpen 1 ADDED 2, keys 2] (auditAnswers 0 ) (damaged line 2, byte 477: b.log: the text is not JSON)"
	if got := converttest.Summary(tr, err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzAudit(f *testing.F) {
	line := converttest.AuditLine("create", "configmaps", "a", 1, 201, converttest.Answer(configMap("a", "5", "")))
	converttest.Fuzz(f, audit.Form, converttest.Beginning(f, "audit.jsonl.gz", 40_000), line,
		line+converttest.AuditLine("delete", "configmaps", "a", 2, 200, converttest.Answer(`{"kind":"Status"}`)),
		`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[`+line+`]}`,
		converttest.AuditLine("patch", "configmaps", "a", 2, 200, `,"requestObject":[]`)+converttest.AuditLine("list", "configmaps", "", 1, 200, converttest.Answer(`{"kind":"ConfigMapList","metadata":{"resourceVersion":"3"},"items":[1,{}]}`)),
		converttest.AuditLine("deletecollection", "configmaps", "", 2, 200, converttest.Answer(`{"kind":"ConfigMapList","metadata":{"resourceVersion":"3"},"items":[{"metadata":{"name":"a"}}]}`)))
}
