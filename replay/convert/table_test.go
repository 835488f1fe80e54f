package convert

import (
	"strings"
	"testing"
)

func TestTables(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"pods-table.ndjson.gz", "watch spaced [objects v1 PartialObjectMetadata: WatchOpen 1 ADDED 18 MODIFIED 106 DELETED 18 WatchBookmark 3 InitialEnd 1, keys 17] (tableColumns 0 )"},
		{"pods-table-includeobject-none.ndjson", "watch spaced [objects v1 PartialObjectMetadata: WatchOpen 1 ADDED 18 MODIFIED 106 DELETED 18, keys 17] (tableNoObjects 0 )"},
		{"pods-partialobjectmetadata.ndjson.gz", "watch spaced [objects v1 PartialObjectMetadata: WatchOpen 1 ADDED 18 MODIFIED 106 DELETED 18 WatchBookmark 3 InitialEnd 1, keys 17] (metadataOnly 0 )"},
		{"list-table.json", "list spaced [objects v1 PartialObjectMetadata: ListBegin 1 ListItem 5 ListEnd 1, keys 5] (tableColumns 0 )"},
		{"list-pom.json", "list spaced [objects v1 PartialObjectMetadata: ListBegin 1 ListItem 5 ListEnd 1, keys 5] (metadataOnly 0 )"},
	} {
		_, tr, err := converted(t, Options{}, input(t, c.name))
		if got := tell(tr, err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// A watch of Tables brings the same events as one of whole objects.
func TestTableIsWhatWatchersGot(t *testing.T) {
	_, table, err := converted(t, Options{}, input(t, "pods-table.ndjson.gz"))
	if err != nil {
		t.Fatal(err)
	}
	_, watch, err := converted(t, Options{}, input(t, "pods.watch.ndjson.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := versions(table, "objects"), versions(watch, "pods"); strings.Join(got, "\n") != strings.Join(want, "\n") {
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
	} {
		_, _, err := converted(t, Options{}, text("x.txt", in))
		if err == nil || !strings.Contains(err.Error(), "--output-watch-events -o json") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

const (
	tableColumns = `[{"name":"Name"},{"name":"Ready"},{"name":"Ready"}]`
	tableRowJSON = `{"cells":["a","0/1",3,"more"],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"x","uid":"u","resourceVersion":"5"}}}`
)

func tableOf(rv, columns string, rows ...string) string {
	return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"` + rv + `"},"columnDefinitions":` + columns + `,"rows":[` + strings.Join(rows, ",") + `]}`
}

// The cells are what the objects differ in, so they are in them, also when the
// columns were described in an earlier event, or in none.
func TestTableColumns(t *testing.T) {
	event := func(typ, table string) string { return `{"type":"` + typ + `","object":` + table + "}\n" }
	const object = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"x","uid":"u","resourceVersion":"5"},"columns":{`
	for _, c := range []struct{ name, in, want string }{
		{"the first event", event("ADDED", tableOf("5", tableColumns, tableRowJSON)), object + `"Name":"a","Ready":"0/1","3":3,"4":"more"}}`},
		{"a later one", event("BOOKMARK", tableOf("4", tableColumns)) + event("ADDED", tableOf("5", "null", tableRowJSON)), object + `"Name":"a","Ready":"0/1","3":3,"4":"more"}}`},
		{"none", event("ADDED", tableOf("5", "null", tableRowJSON)), object + `"1":"a","2":"0/1","3":3,"4":"more"}}`},
		{"without objects", event("ADDED", tableOf("5", tableColumns, `{"cells":["a","0/1"],"object":null}`)), `"metadata":{"resourceVersion":"5","name":"a"},"columns":{"Name":"a","Ready":"0/1"}`},
		{"whole objects", event("ADDED", tableOf("5", tableColumns, `{"cells":["a"],"object":`+pod("a", "u", "5")+`}`)), `/api/v1/pods?watch=true`},
		{"a bookmark", event("ADDED", tableOf("5", tableColumns, tableRowJSON)) + event("BOOKMARK", tableOf("9", "null", `{"cells":["","0/0"],"object":{"kind":"PartialObjectMetadata","metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}}`)),
			`{"type":"BOOKMARK","object":{"kind":"PartialObjectMetadata","apiVersion":"v1","metadata":{"annotations":{"k8s.io/initial-events-end":"true"},"resourceVersion":"9"}}}`},
		{"an empty list", tableOf("5", tableColumns), `"metadata":{"resourceVersion":"5"},"items":[]`},
		{"a cut one", event("ADDED", tableOf("5", tableColumns, tableRowJSON)) + event("ADDED", tableOf("6", "null", tableRowJSON))[:100], `"problem":{"kind":"cut","line":2`},
	} {
		got, _, err := converted(t, Options{}, text("x.json", c.in))
		if err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: %v: there is no %s in\n%s", c.name, err, c.want, got)
		}
	}
}

func FuzzTable(f *testing.F) {
	fuzz(f, "watch", beginning(f, "pods-table.ndjson.gz", 20_000), beginning(f, "pods-table-includeobject-none.ndjson", 8_000), beginning(f, "list-table.json", 40_000),
		tableOf("5", tableColumns, tableRowJSON), `{"type":"ADDED","object":`+tableOf("5", "[{}]", tableRowJSON, `{"cells":[[]],"object":{}}`)+`}`)
}
