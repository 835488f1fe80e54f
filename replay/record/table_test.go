package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
)

type tables func(r *http.Request) string

func (a tables) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(a(r))), Request: r}, nil
}

// TestTables records what kubectl get asks for. The objects of the rows are recorded, and a Table without objects stays as it is.
func TestTables(t *testing.T) {
	const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
	table := func(rv, rows string) string {
		return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"` + rv + `"},"columnDefinitions":[{"name":"Name","type":"string"}],"rows":[` + rows + `]}`
	}
	row := func(name, rv string) string {
		return `{"cells":["` + name + `"],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"` + name + `","namespace":"a","resourceVersion":"` + rv + `"}}}`
	}
	for _, c := range []struct {
		list, watch string
		items, at   int // the list's items, and the watch's events
		damaged     bool
	}{
		{table("100", row("x", "7")+","+row("y", "9")), `{"type":"ADDED","object":` + table("101", row("z", "101")) + "}\n" + `{"type":"DELETED","object":` + table("102", row("x", "102")) + "}\n", 2, 2, false},
		{table("100", ""), "", 0, 0, false},
		{`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"100"},"items":[{"metadata":{"name":"x","resourceVersion":"7"}}]}`, "", 1, 0, false},
		{table("100", `{"cells":["x"]}`), "", 0, 0, true},
		{table("100", row("x", "7")+`,{"cells":["y"],"object":null}`), "", 0, 0, true},
	} {
		var out bytes.Buffer
		r, err := New(&out, Options{})
		if err != nil {
			t.Fatal(err)
		}
		client := &http.Client{Transport: r.Wrap(tables(func(req *http.Request) string {
			if req.URL.Query().Has("watch") {
				return c.watch
			}
			return c.list
		}))}
		for _, query := range []string{"", "?watch=true&resourceVersion=100"} {
			req, _ := http.NewRequest(http.MethodGet, "http://server/api/v1/pods"+query, nil)
			req.Header.Set("Accept", accept)
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if want := map[bool]string{true: c.list, false: c.watch}[query == ""]; string(got) != want {
				t.Errorf("the client gets %s, want %s", got, want)
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		tr, err := file.Read(bytes.NewReader(out.Bytes()), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		resource := tr.Resources[0]
		keys, items := map[string]bool{}, 0
		for _, rec := range resource.Records {
			if rec.Kind == trace.ListItem {
				items++
			}
			if rec.Obj != 0 {
				keys[resource.Table.KeyText(resource.Table.KeyOf(rec.Obj))] = true
			}
		}
		if got := fmt.Sprint(items, resource.Events, tr.ProblemCount > 0); got != fmt.Sprint(c.items, c.at, c.damaged) || keys[""] || slices.ContainsFunc(tr.Remarks, func(r trace.Remark) bool { return r.ID == trace.MetadataAlone }) {
			t.Errorf("of %s: %s, want %d items, %d events, %v; keys %v; %v", c.list, got, c.items, c.at, c.damaged, keys, tr.Problems)
		}
	}
}

// FuzzUntabled holds that whatever comes becomes JSON where it was JSON.
func FuzzUntabled(f *testing.F) {
	f.Add([]byte(`{"type":"ADDED","object":{"kind":"Table","rows":[{"object":{"kind":"PartialObjectMetadata"}}]}}`))
	f.Add([]byte(`{"kind":"Table","rows":[{"object":{}},{"object":{}}]}`))
	f.Add([]byte(`{"kind":"Table","rows":[{"object":1}],"rows":[]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if list, event := untabled(b), untabledEvent(b); json.Valid(b) && !(json.Valid(list) && json.Valid(event)) {
			t.Errorf("%q becomes %q and %q", b, list, event)
		}
	})
}
