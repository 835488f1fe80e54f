package driver

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestStops: what a stop leaves of what was under way, and what is asked after it,
// in each version. The random scripts of ../live hold the same against client-go.
func TestStops(t *testing.T) {
	begin := `{"op":"config","gates":{"WatchListClient":false}}` + "\n" + `{"op":"inf.new"}` + "\n" + `{"op":"inf.start"}` + "\n"
	streaming := strings.Replace(begin, `,"gates":{"WatchListClient":false}`, "", 1)
	list, stop := `{"op":"inf.list","items":[{"k":"a/x","rv":"1"}],"rv":"1"}`+"\n", `{"op":"inf.stop"}`+"\n"
	for _, c := range []struct {
		what, script string
		versions     string
		want         string // awaiting, calls, handledErrors
	}{
		{"before the start", strings.Replace(begin, `{"op":"inf.start"}`, stop+`{"op":"inf.start"}`, 1), "v0.22.17 v0.28.15 v0.32.9 v0.35.3", "[] [] 0"},
		{"before the start", strings.Replace(begin, `{"op":"inf.start"}`, stop+`{"op":"inf.start"}`, 1), "v0.36.0 v0.37.2", `[] [list rv="0" limit=500] 0`},
		{"before the start of a streaming list", strings.Replace(streaming, `{"op":"inf.start"}`, stop+`{"op":"inf.start"}`, 1), "v0.35.3 v0.37.2", "[] [] 0"},
		{"a list under way", begin + stop, "v0.22.17 v0.28.15 v0.32.9", "[list] [] 0"},
		{"a list under way", begin + stop, "v0.34.3 v0.35.3 v0.37.2", "[] [] 0"},
		{"a page after the stop", begin + stop + strings.Replace(list, `"rv":"1"}`+"\n", `"rv":"1","cont":"more"}`+"\n", 1), "v0.22.17 v0.32.9", `[list] [list rv="" limit=500 continue="more"] 0`},
		{"a list that fails after the stop", begin + stop + `{"op":"inf.list","err":"other"}`, "v0.22.17 v0.32.9", "[] [] 0"},
		{"a list that has expired after the stop", begin + stop + `{"op":"inf.list","err":"expired"}`, "v0.22.17 v0.32.9", `[list] [list rv="" limit=500] 0`},
		{"a watch request under way", begin + list + stop, "v0.22.17 v0.32.9", "[watch] [] 0"},
		{"a watch request under way", begin + list + stop, "v0.34.3 v0.35.3 v0.37.2", "[] [] 1"},
		{"a watch request that fails after the stop", begin + list + stop + `{"op":"inf.watch","err":"other"}`, "v0.22.17 v0.32.9", "[] [] 1"},
		{"the request of a streaming list under way", streaming + stop, "v0.35.3 v0.37.2", `[] [list rv="0" limit=500] 0`},
		{"a back-off", begin + `{"op":"inf.list","err":"other"}` + "\n" + stop + `{"op":"advance","ms":60001}`, "v0.22.17 v0.28.15 v0.34.3 v0.37.2", "[] [] 0"},
	} {
		for _, version := range strings.Fields(c.versions) {
			last := lastOf(t, version, c.script)
			calls, errors := last["calls"], last["handledErrors"]
			if calls == nil {
				calls = []any{}
			}
			if errors == nil {
				errors = 0
			}
			if got := fmt.Sprint(last["awaiting"], " ", calls, " ", errors); got != c.want {
				t.Errorf("%s, %s: %s, want %s", c.what, version, got, c.want)
			}
		}
	}
}

// lastOf is what a version prints for the last operation of a script.
func lastOf(t *testing.T, version, script string) map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := play(clientGo(version), strings.NewReader(script), &out); err != nil {
		t.Fatal(err)
	}
	printed := lines(out.Bytes())
	return decode(t, printed[len(printed)-1])
}
