package audit_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/trace"
)

// objectsIn are the objects of a stream of watch events, or of a trace, by type, name
// and resourceVersion.
func objectsIn(t *testing.T, stream, resource string) map[string]any {
	t.Helper()
	all := map[string]any{}
	users := map[int]string{}
	for line := range strings.Lines(stream) {
		var l struct {
			ID    int
			Req   struct{ URL string }
			Event struct {
				Type   string
				Object json.RawMessage
			}
			Type   string
			Object json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Req.URL != "" {
			users[l.ID], _, _ = strings.Cut(l.Req.URL, "?")
		}
		typ, raw := l.Type+l.Event.Type, l.Event.Object
		if raw == nil {
			raw = l.Object
		} else if users[l.ID] != resource {
			continue
		}
		var o struct {
			Metadata struct{ Name, ResourceVersion string }
		}
		var whole any
		if json.Unmarshal(raw, &o) != nil || json.Unmarshal(raw, &whole) != nil || o.Metadata.Name == "" {
			continue
		}
		all[typ+" "+o.Metadata.Name+"@"+o.Metadata.ResourceVersion] = whole
	}
	return all
}

// withoutVersions are the keys of deletions without their resourceVersions, which no
// answer tells, and all others.
func withoutVersions(events map[string]any) map[string]bool {
	all := map[string]bool{}
	for e := range events {
		if name, _, _ := strings.Cut(e, "@"); strings.HasPrefix(e, "DELETED ") {
			e = name
		}
		all[e] = true
	}
	return all
}

// Events are written in two groups, and are deleted together by deletecollection: what
// comes out is what the watch of the same time was sent, object by object.
func TestAuditEventsAreWhatTheWatchGot(t *testing.T) {
	out, tr, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "audit-events.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	got, want := objectsIn(t, out, "/api/v1/events"), objectsIn(t, converttest.Beginning(t, "events.watch.ndjson.gz", 1<<30), "")
	if a, b := withoutVersions(got), withoutVersions(want); !reflect.DeepEqual(a, b) {
		t.Errorf("%d events, and the watch got %d", len(a), len(b))
	}
	same := 0
	for e, o := range got {
		if o2, ok := want[e]; ok {
			same++
			if !reflect.DeepEqual(o, o2) {
				t.Errorf("%s is\n%v, and the watch got\n%v", e, o, o2)
			}
		}
	}
	if same < 99 {
		t.Errorf("only %d events have the watch's resourceVersion", same)
	}
	for _, id := range []string{remarks.AuditEvents, remarks.AuditNoVersion, remarks.AuditVanished} {
		if converttest.Remarked(tr, id) == 0 {
			t.Errorf("there is no remark %s: %v", id, tr.Remarks)
		}
	}
	for _, r := range tr.Resources {
		if strings.Contains(r.Name(), "events.k8s.io") {
			t.Errorf("there is a resource %s", r.Name())
		}
	}
}

// A deletion is shown once, at whichever of several answers it was told: one without a
// resourceVersion, a 404, or both.
func TestAuditDeletions(t *testing.T) {
	gone := `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"x","uid":"1","deletionTimestamp":"2026-11-20T20:00:03Z","deletionGracePeriodSeconds":0}}`
	made := converttest.AuditLine("create", "pods", "a", 1, 201, converttest.Answer(converttest.Pod("a", "1", "5")))
	notFound := func(second float64) string {
		return strings.Replace(converttest.AuditLine("delete", "pods", "a", second, 404, ""), `{"code":404}`, `{"code":404,"reason":"NotFound"}`, 1)
	}
	withVersion := converttest.AuditLine("delete", "pods", "a", 3.2, 200, converttest.Answer(strings.Replace(gone, `"uid"`, `"resourceVersion":"7","uid"`, 1)))
	without := converttest.AuditLine("delete", "pods", "a", 3, 200, converttest.Answer(gone))
	again := converttest.AuditLine("create", "pods", "a", 5, 201, converttest.Answer(converttest.Pod("a", "2", "9")))
	for _, c := range []struct{ name, in, want string }{
		{"without a resourceVersion", made + without, "ADDED x/a/1@5, DELETED x/a/1@5"},
		{"of two the one with", made + without + withVersion, "ADDED x/a/1@5, DELETED x/a/1@7"},
		{"of two the one with, which is first", made + withVersion + without, "ADDED x/a/1@5, DELETED x/a/1@7"},
		{"not found", made + notFound(4), "ADDED x/a/1@5, DELETED x/a/1@5"},
		{"not found, and not known", notFound(0.5) + made, "ADDED x/a/1@5"},
		{"not found after it", made + withVersion + notFound(4), "ADDED x/a/1@5, DELETED x/a/1@7"},
		{"not found before it", made + notFound(3.1) + withVersion, "ADDED x/a/1@5, DELETED x/a/1@7"},
		{"and created anew", made + withVersion + notFound(4) + again + notFound(6), "ADDED x/a/1@5, DELETED x/a/1@7, ADDED x/a/2@9, DELETED x/a/2@9"},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("audit.log", c.in))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := converttest.Events(tr); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// An EventList is read, on one line, indented, with its kind last, and after others.
func TestAuditEventList(t *testing.T) {
	line := strings.TrimSpace(converttest.AuditLine("create", "pods", "a", 1, 201, converttest.Answer(converttest.Pod("a", "1", "5"))))
	two := strings.TrimSpace(converttest.AuditLine("create", "pods", "b", 2, 201, converttest.Answer(converttest.Pod("b", "2", "6"))))
	list := `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[` + line + "," + two + `]}`
	last := `{"apiVersion":"audit.k8s.io/v1","items":[` + line + "," + two + `],"kind":"EventList","metadata":{}}`
	indented := strings.NewReplacer("{", "{\n  ", ",", ",\n  ").Replace(list)
	for name, in := range map[string]string{"a line": list, "kind last": last, "indented": indented, "two lines": strings.Replace(list, ","+two, "", 1) + "\n" + strings.Replace(list, line+",", "", 1) + "\n"} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("audit.log", in))
		if want := "audit [pods v1 Pod: WatchOpen 1 ADDED 2, keys 2] (auditAnswers 0 )"; converttest.Summary(tr, err) != want {
			t.Errorf("%s:\n got %s\nwant %s", name, converttest.Summary(tr, err), want)
		}
	}
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("a", indented), converttest.Text("b", strings.ReplaceAll(line, `"5"`, `"4"`)+"\n"))
	if err != nil || tr.Resources[0].Events == 0 {
		t.Errorf("with another log: %s", converttest.Summary(tr, err))
	}
}

// A log of level Metadata says that it holds no objects, before anything else.
func TestAuditOfLevelMetadata(t *testing.T) {
	line := strings.Replace(converttest.AuditLine("create", "pods", "a", 1, 201, ""), "RequestResponse", "Metadata", 1)
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("audit.log", line))
	if err != nil || len(tr.Remarks) == 0 || tr.Remarks[0] != (trace.Remark{ID: remarks.AuditNoObjects, Count: 1}) {
		t.Errorf("%s", converttest.Summary(tr, err))
	}
	_, _, err = converttest.Converted(t, convert.Options{}, converttest.Text("audit.log", strings.Replace(line, `"create"`, `"get"`, 1)))
	if err == nil || !strings.Contains(err.Error(), "the audit log holds no objects") {
		t.Errorf("%v", err)
	}
}
