package pages

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/serve"
)

// A page of another version than the program that serves it learns of that, and the terminal says
// so. A page of the same version is served as it is, and so is a page whose version is not known.
func TestPageOfAnotherVersion(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	released, cloned, unknown := cli.Versions{Version: "v0.2.0"}, cli.Versions{Version: "v0.0.0-20261126000000-0123456789ab", Commit: commit}, cli.Versions{Version: "devel"}
	for _, c := range []struct {
		carries serve.Stamp
		built   cli.Versions
		page    string
		want    string // the version that the page is told
	}{
		{built: released, page: `{"version":"aaaa","release":"v0.2.0"}`},
		{built: released, page: `{"version":"aaaa","release":"v0.1.0"}`, want: "v0.2.0"},
		{built: released, page: `{"version":"aaaa"}`},
		{built: released, page: `{`},
		{built: released, page: ``},
		{built: cloned, page: `{"version":"aaaa","release":"0123456789ab"}`},
		{built: cloned, page: `{"version":"aaaa","release":"v0.1.0-7-g0123456789ab-dirty"}`},
		{built: cloned, page: `{"version":"aaaa","release":"v0.1.0-7-g1123456789ab"}`, want: "v0.0.0-20261126000000-0123456789ab"},
		{built: cli.Versions{Version: "devel", Commit: commit}, page: `{"version":"aaaa","release":"v0.1.0"}`, want: "0123456789ab"},
		{built: unknown, page: `{"version":"aaaa","release":"v0.1.0"}`},
		{carries: serve.Stamp{Version: "aaaa", Release: "v0.2.0"}, built: unknown, page: `{"version":"aaaa","release":"v0.2.0"}`},
		{carries: serve.Stamp{Version: "bbbb", Release: "v0.2.0"}, built: unknown, page: `{"version":"aaaa","release":"v0.2.0"}`, want: "v0.2.0"},
		{carries: serve.Stamp{Version: "bbbb"}, built: unknown, page: `{"version":"aaaa"}`, want: "bbbb"},
	} {
		files := fstest.MapFS{"index.html": {Data: []byte("the page")}}
		if c.page != "" {
			files["version.json"] = &fstest.MapFile{Data: []byte(c.page)}
		}
		var stderr strings.Builder
		s := httptest.NewServer(compared(http.FileServerFS(files), files, "dist", program{c.carries, c.built}, &stderr))
		get := func(name string) string {
			t.Helper()
			answer, err := http.Get(s.URL + name)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			b, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		var answer struct{ Version, Program string }
		if err := json.Unmarshal([]byte(get("/version.json")), &answer); answer.Program != c.want || c.want != "" && (err != nil || answer.Version != "aaaa") {
			t.Errorf("%s by %+v is told %+v, %v", c.page, c.built, answer, err)
		}
		if said := stderr.String(); (c.want == "") != (said == "") || !strings.Contains(said, c.want) {
			t.Errorf("%s by %+v: the terminal says %q", c.page, c.built, said)
		}
		if text := get("/"); text != "the page" {
			t.Errorf("the page is %q", text)
		}
		s.Close()
	}
}
