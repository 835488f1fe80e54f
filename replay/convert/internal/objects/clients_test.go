package objects_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/remarks"
)

// event is a watch event of a capture, as the tests take it apart.
type event struct {
	Type   string          `json:"type"`
	Object json.RawMessage `json:"object"`
}

// eventsOf returns the events in a file of testdata, without bookmarks.
func eventsOf(t *testing.T, name string) (all []event) {
	t.Helper()
	for line := range strings.Lines(converttest.Beginning(t, name, 600_000)) {
		var e event
		if json.Unmarshal([]byte(line), &e) == nil && e.Type != "BOOKMARK" {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no events", name)
	}
	return all
}

var kindOf = regexp.MustCompile(`^\{"kind":"\w+","apiVersion":"[\w./]+",`)

// without returns an object as a typed client has it: without its kind.
func without(object json.RawMessage) string { return kindOf.ReplaceAllString(string(object), "{") }

// snaked returns JSON with the names that the Python client has for fields. maps says that the names are a user's.
func snaked(v any, maps bool) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = snaked(v[i], false)
		}
	case map[string]any:
		out := map[string]any{"nothing_here": nil}
		for name, x := range v {
			free := name == "labels" || name == "annotations" || name == "data" || name == "matchLabels" || name == "nodeSelector" || name == "limits" || name == "requests" || name == "fieldsV1" ||
				name == "selector" && !strings.Contains(fmt.Sprint(x), "matchLabels")
			if !maps { // openapi-generator's way
				name = regexp.MustCompile(`([A-Z]+)([A-Z][a-z])`).ReplaceAllString(name, "${1}_$2")
				name = strings.ToLower(regexp.MustCompile(`([a-z\d])([A-Z])`).ReplaceAllString(name, "${1}_$2"))
			}
			if free {
				out[name] = x
			} else {
				out[name] = snaked(x, maps)
			}
		}
		return out
	}
	return v
}

// printed returns what Python prints of a value, with quotes and times as it writes them.
func printed(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil && at.Nanosecond() == 0 && strings.HasSuffix(v, "Z") {
			zones := []struct {
				text   string
				offset time.Duration
			}{
				{"tzutc()", 0}, {"datetime.timezone.utc", 0}, {"datetime.timezone(datetime.timedelta(seconds=7200))", 2 * time.Hour},
				{"datetime.timezone(datetime.timedelta(days=-1, seconds=61200))", -7 * time.Hour}, {"tzoffset(None, -3600)", -time.Hour}, {"tzoffset('IST', 19800)", 5*time.Hour + 30*time.Minute},
			}
			zone := zones[at.Second()%len(zones)]
			at = at.Add(zone.offset)
			return fmt.Sprintf("datetime.datetime(%d, %d, %d, %d, %d, %d, tzinfo=%s)", at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), zone.text)
		}
		v = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`, "\x00", `\x00`).Replace(v)
		if strings.Contains(v, "'") && !strings.Contains(v, `"`) {
			return `"` + v + `"`
		}
		return "'" + strings.ReplaceAll(v, "'", `\'`) + "'"
	case []any:
		var all []string
		for _, x := range v {
			all = append(all, printed(x))
		}
		return "[" + strings.Join(all, ",\n ") + "]"
	case map[string]any:
		var all []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, printed(name)+": "+printed(v[name]))
		}
		return "{" + strings.Join(all, ",\n ") + "}"
	}
	return fmt.Sprint(v)
}

// However a client prints events and objects, they are the same as those that the API server sent, with their kinds.
func TestClientsPrintings(t *testing.T) {
	for _, file := range []string{
		"pods.watch.ndjson.gz", "deployments.watch.ndjson.gz", "replicasets.watch.ndjson.gz", "services.watch.ndjson", "configmaps.watch.ndjson", "namespaces.watch.ndjson", "events.watch.ndjson.gz",
	} {
		all := eventsOf(t, file)
		var plain strings.Builder
		for _, e := range all {
			fmt.Fprintf(&plain, `{"type":"%s","object":%s}`+"\n", e.Type, e.Object)
		}
		_, want, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", plain.String()))
		if err != nil {
			t.Fatal(err)
		}
		lines := func(format string, typ func(string) string, object func(json.RawMessage) string) string {
			var b strings.Builder
			for _, e := range all {
				fmt.Fprintf(&b, format, typ(e.Type), object(e.Object))
			}
			return b.String()
		}
		same := func(s string) string { return s }
		python := func(o json.RawMessage) string {
			var v any
			if err := json.Unmarshal(o, &v); err != nil {
				t.Fatal(err)
			}
			b, err := json.Marshal(snaked(v, false))
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		print := func(snake bool) func(o json.RawMessage) string {
			return func(o json.RawMessage) string {
				var v any
				d := json.NewDecoder(bytes.NewReader(o))
				d.UseNumber()
				if err := d.Decode(&v); err != nil {
					t.Fatal(err)
				}
				if snake {
					v = snaked(v, false)
				}
				return printed(v)
			}
		}
		oneLine := func(o json.RawMessage) string { return strings.ReplaceAll(print(false)(o), ",\n ", ", ") }
		// pprint writes a long text as several.
		parted := func(o json.RawMessage) string {
			return regexp.MustCompile(`'([a-zA-Z]{4})([a-zA-Z ]{8,})'`).ReplaceAllString(print(true)(o), "'$1'\n        '$2'")
		}
		lower := func(s string) string {
			return map[string]string{"ADDED": "add", "MODIFIED": "Updated", "DELETED": "onDelete"}[s]
		}
		for name, s := range map[string]string{
			"Go's watch.Event":          lines(`{"Type":"%s","Object":%s}`+"\n", same, without),
			"the same, in small":        lines(`{"type":"%s","object":%s}`+"\n", same, without),
			"with a time":               lines(`{"time":"2026-01-01T10:00:00Z","type":"%s","object":%s}`+"\n", same, without),
			"kind after its object":     lines(`{"object":%[2]s,"type":"%[1]s"}`+"\n", same, without),
			"empty kinds":               lines(`{"type":"%s","object":%s}`+"\n", same, func(o json.RawMessage) string { return `{"kind":"","apiVersion":"",` + without(o)[1:] }),
			"an array":                  "[" + strings.TrimSuffix(lines(`{"type":"%s","object":%s},`+"\n", same, without), ",\n") + "]",
			"what an informer logs":     lines(`{"event":"%s","obj":%s}`+"\n", lower, without),
			"what a controller logs":    lines(`{"level":"info","ts":"2026-01-01T10:00:00Z","msg":"object %s","object":%s}`+"\n", lower, without),
			"with what it was before":   lines(`{"action":"%[1]s","old":%[2]s,"new":%[2]s}`+"\n", lower, without),
			"Node's callback":           lines(`{"phase":"%s","apiObj":%s}`+"\n", same, without),
			"Node's arguments":          lines(`["%s",%s]`+"\n", same, without),
			"a word before it":          lines("2026/01/01 10:00:00 main.go:12: pod %s: %s\n", lower, without),
			"by what has happened":      lines(`{"%s":%s}`+"\n", lower, without),
			"Python's to_dict":          lines(`{"type": "%s", "object": %s}`+"\n", same, python),
			"Python's print":            lines("{'type': '%s', 'object': %s}\n", same, oneLine),
			"with words before it":      lines("Event: %s {'type': '%[1]s', 'object': %s}\n", same, oneLine),
			"Python's pprint":           lines("{'type': '%s',\n 'object': %s}\n", same, parted),
			"as Python 2 printed it":    lines("{u'type': u'%s', u'object': %s}\n", same, print(true)),
			"with a time of protobuf":   lines(`{"time":{"seconds":"1767261600","nanos":5},"type":"%s","object":%s}`+"\n", same, without),
			"Python, with raw_object":   lines(`{"type": "%[1]s", "object": "{'api_version': 'v1'}", "raw_object": %[2]s}`+"\n", same, func(o json.RawMessage) string { return string(o) }),
			"Python's objects, no kind": lines(`{"type": "%s", "object": %s}`+"\n", same, func(o json.RawMessage) string { return python(json.RawMessage(without(o))) }),
		} {
			_, got, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", s))
			if err != nil {
				t.Errorf("%s, %s: %v\n%.300s", file, name, err, s)
				continue
			}
			if converttest.Played(got) != converttest.Played(want) || got.ProblemCount > 0 {
				t.Errorf("%s, %s:\n got %.600s\nwant %.600s\n%.300s", file, name, converttest.Summary(got, nil), converttest.Summary(want, nil), s)
			}
		}
		// Objects alone, in arrays, and in lists.
		seen := map[string]bool{}
		var items, kinded []string
		for _, e := range all {
			var o struct {
				Metadata struct{ Name, Namespace string }
			}
			if err := json.Unmarshal(e.Object, &o); err != nil {
				t.Fatal(err)
			}
			if key := o.Metadata.Namespace + "/" + o.Metadata.Name; !seen[key] {
				seen[key] = true
				items, kinded = append(items, without(e.Object)), append(kinded, string(e.Object))
			}
		}
		_, want, err = converttest.Converted(t, convert.Options{}, converttest.Text("x", strings.Join(kinded, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range map[string]string{
			"lines": strings.Join(items, "\n"), "an array of objects": "[" + strings.Join(items, ", ") + "]", "no newlines": strings.Join(items, ""),
		} {
			_, got, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", s))
			if err != nil || converttest.Played(got) != converttest.Played(want) {
				t.Errorf("%s, %s: %v\n got %.600s\nwant %.600s", file, name, err, converttest.Summary(got, err), converttest.Summary(want, nil))
			}
		}
		for name, s := range map[string]string{
			"a list":              `{"metadata":{"resourceVersion":"99999"},"items":[` + strings.Join(items, ",") + `]}`,
			"a list, turned":      `{"items":[` + strings.Join(items, ",") + `],"metadata":{"resourceVersion":"99999"}}`,
			"a list in an answer": `{"response":{"statusCode":200},"body":{"items":[` + strings.Join(items, ",") + `],"metadata":{"resourceVersion":"99999"}}}`,
		} {
			_, got, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", s))
			if err != nil {
				t.Errorf("%s, %s: %v\n%.200s", file, name, err, s)
				continue
			}
			r := got.Resources[0]
			if len(got.Resources) != 1 || r.Name() != want.Resources[0].Name() || r.Lists != 1 || r.Table.Keys() != want.Resources[0].Table.Keys() || r.Kind != want.Resources[0].Kind {
				t.Errorf("%s, %s: %s", file, name, converttest.Summary(got, nil))
			}
		}
	}
}

// Where the fields of an object don't tell its kind, the name of its file or folder does, what the others are, or the
// user. Else the error says what is missing.
func TestKinds(t *testing.T) {
	object := func(name, rv, more string) string {
		return `{"metadata":{"name":"` + name + `","namespace":"x","uid":"` + name + `","resourceVersion":"` + rv + `"}` + more + "}\n"
	}
	for _, c := range []struct{ name, file, in, kind, want string }{
		{"a file", "dump/pods.json", object("a", "1", ""), "", "[pods v1 Pod: WatchOpen 1 ADDED 1, keys 1] (kindFromName 0 Pod)"},
		{"a folder", "cluster-resources/deployments/default.json", object("a", "1", ""), "", "[deployments.apps v1 Deployment: WatchOpen 1 ADDED 1, keys 1] (kindFromName 0 Deployment)"},
		{"a part of the name", "all-nodes.jsonl.gz", object("a", "1", ""), "", "[nodes v1 Node: WatchOpen 1 ADDED 1, keys 1] (kindFromName 0 Node)"},
		{"a custom resource", "cr/certificates.cert-manager.io.json", object("a", "1", ""), "", "[certificates.cert-manager.io v1 Certificate: WatchOpen 1 ADDED 1, keys 1] (kindFromName 0 Certificate)"},
		{"a custom resource, with its version", "cr/certificates.cert-manager.io/default.json",
			strings.Replace(object("a", "1", ""), `"metadata":{`, `"metadata":{"managedFields":[{"manager":"x","apiVersion":"cert-manager.io/v1alpha2"}],`, 1), "",
			"[certificates.cert-manager.io v1alpha2 Certificate: WatchOpen 1 ADDED 1, keys 1] (kindFromName 0 Certificate)"},
		{"fields, not the name", "events.jsonl", object("a", "1", `,"spec":{"containers":[{}]}`), "", "[pods v1 Pod: WatchOpen 1 ADDED 1, keys 1] (kindFromShape 0 Pod)"},
		{"the others", "x", converttest.Pod("b", "b", "1") + "\n" + object("a", "2", ""), "", "[pods v1 Pod: WatchOpen 1 ADDED 2, keys 2] (kindFromOthers 0 Pod)"},
		{"what was applied", "x", strings.Replace(object("a", "1", ""), `"metadata":{`, `"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"x.io/v1\",\"kind\":\"Web\"}"},`, 1), "",
			"[webs.x.io v1 Web: WatchOpen 1 ADDED 1, keys 1] (kindFromObject 0 Web)"},
		{"the user", "x", object("a", "1", ""), "Pod", "[pods v1 Pod: WatchOpen 1 ADDED 1, keys 1]"},
		{"the user, by the resource", "x", object("a", "1", ""), "deployments.apps", "[deployments.apps v1 Deployment: WatchOpen 1 ADDED 1, keys 1]"},
		{"the user, in full", "x", object("a", "1", ""), "x.io/v2/Web", "[webs.x.io v2 Web: WatchOpen 1 ADDED 1, keys 1]"},
		{"YAML", "x", "metadata:\n  name: a\n  namespace: x\n  uid: a\n  resourceVersion: \"1\"\nspec:\n  containers: []\n", "", "[pods v1 Pod: WatchOpen 1 ADDED 1, keys 1] (kindFromShape 0 Pod)"},
		{"a sequence of YAML", "x", "- metadata:\n    name: a\n    namespace: x\n    uid: a\n    resourceVersion: \"1\"\n  spec:\n    containers: []\n- metadata:\n    name: b\n    uid: b\n    namespace: x\n    resourceVersion: \"2\"\n", "",
			"[pods v1 Pod: WatchOpen 1 ADDED 2, keys 2] (kindFromShape 0 Pod)"},
	} {
		in := converttest.Text(c.file, c.in)
		in.Kind = c.kind
		_, tr, err := converttest.Converted(t, convert.Options{}, in)
		got := converttest.Summary(tr, err)
		got = strings.NewReplacer("objects spaced ", "", " (typesWorkedOut 0 )", "", " (noDeletions 0 )", "", " (kindFromOthers 0 Pod)", map[bool]string{true: "", false: " (kindFromOthers 0 Pod)"}[strings.Contains(c.want, "Shape")]).Replace(got)
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", object("a", "1", "")))
	if got := converttest.Summary(tr, err); got != "refused: x: line 1, byte 0: the objects don't say their kind, and neither their fields nor the file's name tell it: name it, as Pod or apps/v1/Deployment; a command takes --kind" {
		t.Error(got)
	}
	if remarks.Sentence(remarks.KindFromName, 0, "Pod") == "" {
		t.Error("a remark has no sentence")
	}
}

// Events that programs print in their logs keep the time of the line, even if that lacks its zone, its year or its date, and
// an object may go over several lines.
func TestLoggedEvents(t *testing.T) {
	events := []struct {
		sec  int
		typ  string
		name string
	}{{1, "ADDED", "a"}, {2, "ADDED", "b"}, {4, "MODIFIED", "a"}, {9, "DELETED", "b"}}
	object := func(i int) string { return converttest.Pod(events[i].name, events[i].name, fmt.Sprint(100+i)) }
	indented := func(i int) string {
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(object(i)), "", "  "); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const utc, unzoned, none = " (lineTimes 0 )", " (lineTimes 0 ) (lineTimesLocal 0 )", ""
	for name, c := range map[string]struct {
		line func(i int, sec, typ string) string
		says string
	}{
		"zap": {func(i int, sec, typ string) string {
			return `{"level":"info","ts":"2025-03-04T10:00:` + sec + `Z","logger":"watch","msg":"event","type":"` + typ + `","object":` + object(i) + "}"
		}, utc},
		"slog": {func(i int, sec, typ string) string {
			verb := map[string]string{"ADDED": "OnAdd", "MODIFIED": "OnUpdate", "DELETED": "OnDelete"}[typ]
			return `{"time":"2025-03-04T10:00:` + sec + `Z","level":"INFO","msg":"` + verb + `","obj":` + object(i) + "}"
		}, utc},
		"Python's logging": {func(i int, sec, typ string) string {
			return "2025-03-04 10:00:" + sec + ",000 INFO watcher: Event: " + typ + " " + object(i)
		}, unzoned},
		"klog": {func(i int, sec, typ string) string {
			return "I0304 10:00:" + sec + ".000000       1 main.go:42] event " + typ + ": " + object(i)
		}, unzoned},
		"logback": {func(i int, sec, typ string) string {
			return "10:00:" + sec + ".000 [OkHttp] INFO  PodWatcher - " + typ + " " + object(i)
		}, unzoned},
		"over lines":   {func(i int, _, typ string) string { return typ + " " + indented(i) }, none},
		"below a line": {func(i int, _, typ string) string { return "Event: " + typ + "\n" + object(i) }, none},
		"below a line with a time": {func(i int, sec, typ string) string {
			return "2025-03-04 10:00:" + sec + " Event: " + typ + "\n" + indented(i)
		}, unzoned},
		"over lines of CRI": {func(i int, sec, typ string) string {
			return "2025-03-04T10:00:" + sec + "Z stdout F " + strings.ReplaceAll(typ+" "+indented(i), "\n", "\n2025-03-04T10:00:"+sec+"Z stdout F ")
		}, utc},
	} {
		var b strings.Builder
		for i, e := range events {
			b.WriteString(c.line(i, fmt.Sprintf("%02d", e.sec), e.typ) + "\n")
		}
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", b.String()))
		got, want := converttest.Summary(tr, err), "watch [pods v1 Pod: WatchOpen 1 ADDED 2 MODIFIED 1 DELETED 1, keys 2]"+c.says
		if got = strings.Replace(got, "watch spaced", "watch", 1); got != want {
			t.Errorf("%s: %s", name, got)
			continue
		}
		if r := tr.Resources[0].Records; c.says != none && r[len(r)-1].Time-r[len(r)-4].Time != 8e9 {
			t.Errorf("%s: it took %d ns", name, r[len(r)-1].Time-r[len(r)-4].Time)
		}
	}
}

// A list below a line that ends with such a word is a list.
func TestAListBelowALine(t *testing.T) {
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", "pod \"x\" deleted\n"+converttest.PodList("10", converttest.Pod("a", "1", "3"))))
	if got, want := converttest.Summary(tr, err), "list spaced [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1, keys 1]"; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}
