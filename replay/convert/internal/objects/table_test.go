package objects_test

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
)

func TestTables(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"pods-table.ndjson.gz", "watch spaced [objects v1 PartialObjectMetadata: WatchOpen 1 ADDED 18 MODIFIED 106 DELETED 18 WatchBookmark 3 InitialEnd 1, keys 17] (tableColumns 0 )"},
		{"pods-table-includeobject-none.ndjson", "watch spaced [objects v1 PartialObjectMetadata: WatchOpen 1 ADDED 18 MODIFIED 106 DELETED 18, keys 17] (tableNoObjects 0 )"},
		{"pods-partialobjectmetadata.ndjson.gz", "watch spaced [objects v1 PartialObjectMetadata: WatchOpen 1 ADDED 18 MODIFIED 106 DELETED 18 WatchBookmark 3 InitialEnd 1, keys 17] (metadataOnly 0 )"},
		{"list-table.json", "list spaced [objects v1 PartialObjectMetadata: ListBegin 1 ListItem 5 ListEnd 1, keys 5] (tableColumns 0 )"},
		{"list-pom.json", "list spaced [objects v1 PartialObjectMetadata: ListBegin 1 ListItem 5 ListEnd 1, keys 5] (metadataOnly 0 )"},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, c.name))
		if got := converttest.Summary(tr, err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// A watch of Tables brings the same events as one of whole objects.
func TestTableIsWhatWatchersGot(t *testing.T) {
	_, table, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "pods-table.ndjson.gz"))
	if err != nil {
		t.Fatal(err)
	}
	_, watch, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "pods.watch.ndjson.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := converttest.Versions(table, "objects"), converttest.Versions(watch, "pods"); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// What kubectl prints for people can't be read: it says what can.
func TestPrintedIsRefused(t *testing.T) {
	for name, in := range map[string]string{
		"a table":      "EVENT      NAMESPACE   NAME                   READY   STATUS    RESTARTS   AGE\nADDED      shop        web-584ccd5465-h92hq   0/1     Pending   0          0s\n",
		"one kind":     "NAME                   READY   STATUS    RESTARTS   AGE\n",
		"no more":      "NAMESPACE   NAME  DATA   AGE\n",
		"names":        "pod/web-584ccd5465-h92hq\npod/web-584ccd5465-2jq7k\n",
		"other groups": "deployment.apps/web\n",
		"Events":       "LAST SEEN   TYPE     REASON      OBJECT   MESSAGE\n0s          Normal   Scheduled   pod/a    ok\n",
		"describe":     "Name:             a\nNamespace:        shop\nPriority:         0\n",
	} {
		_, _, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.txt", in))
		if err == nil || !strings.Contains(err.Error(), "--output-watch-events -o json") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The cells are what the objects differ in, so they are in them, also when the
// columns were described in an earlier event, or in none.
func TestTableColumns(t *testing.T) {
	event := func(typ, table string) string { return `{"type":"` + typ + `","object":` + table + "}\n" }
	const object = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"x","uid":"u","resourceVersion":"5"},"columns":{`
	for _, c := range []struct{ name, in, want string }{
		{"the first event", event("ADDED", converttest.TableOf("5", converttest.Columns, converttest.Row)), object + `"Name":"a","Ready":"0/1","3":3,"4":"more"}}`},
		{"a later one", event("BOOKMARK", converttest.TableOf("4", converttest.Columns)) + event("ADDED", converttest.TableOf("5", "null", converttest.Row)), object + `"Name":"a","Ready":"0/1","3":3,"4":"more"}}`},
		{"none", event("ADDED", converttest.TableOf("5", "null", converttest.Row)), object + `"1":"a","2":"0/1","3":3,"4":"more"}}`},
		{"without objects", event("ADDED", converttest.TableOf("5", converttest.Columns, `{"cells":["a","0/1"],"object":null}`)), `"metadata":{"resourceVersion":"5","name":"a"},"columns":{"Name":"a","Ready":"0/1"}`},
		{"whole objects", event("ADDED", converttest.TableOf("5", converttest.Columns, `{"cells":["a"],"object":`+converttest.Pod("a", "u", "5")+`}`)), `/api/v1/pods?watch=true`},
		{"a bookmark", event("ADDED", converttest.TableOf("5", converttest.Columns, converttest.Row)) + event("BOOKMARK", converttest.TableOf("9", "null", `{"cells":["","0/0"],"object":{"kind":"PartialObjectMetadata","metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}}`)),
			`{"type":"BOOKMARK","object":{"kind":"PartialObjectMetadata","apiVersion":"v1","metadata":{"annotations":{"k8s.io/initial-events-end":"true"},"resourceVersion":"9"}}}`},
		{"an empty list", converttest.TableOf("5", converttest.Columns), `"metadata":{"resourceVersion":"5"},"items":[]`},
		{"a cut one", event("ADDED", converttest.TableOf("5", converttest.Columns, converttest.Row)) + event("ADDED", converttest.TableOf("6", "null", converttest.Row))[:100], `"problem":{"kind":"cut","line":2`},
	} {
		got, _, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.json", c.in))
		if err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: %v: there is no %s in\n%s", c.name, err, c.want, got)
		}
	}
}

func FuzzTable(f *testing.F) {
	converttest.Fuzz(f, objects.Forms[0], converttest.Beginning(f, "pods-table.ndjson.gz", 20_000), converttest.Beginning(f, "pods-table-includeobject-none.ndjson", 8_000), converttest.Beginning(f, "list-table.json", 40_000),
		converttest.TableOf("5", converttest.Columns, converttest.Row), `{"type":"ADDED","object":`+converttest.TableOf("5", "[{}]", converttest.Row, `{"cells":[[]],"object":{}}`)+`}`)
}
