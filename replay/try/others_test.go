//go:build clients

package try

import (
	"cmp"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/internal/kubeconfigtest"
)

// others are clients of other makers, which "make clients" installs, with what is to be said of each fault where that isn't
// "recovered". README.md has the table of what came of them.
var others = []struct {
	name, command string
	all           string // what is to be said where want doesn't have it
	want          map[string]string
}{
	{"kubectl get -w", "kubectl get configmaps --all-namespaces --watch", "ended", nil},
	{"kubectl wait", "kubectl wait --for=jsonpath={.data.never}=yes --timeout=1h configmap/awaited", "", map[string]string{
		"continue": "not-asked", "endless": "not-asked", "restore": "not-within missed"}},
	{"JavaScript", "node testdata/follow.mjs", "", map[string]string{
		"429": "recovered too-early", "continue": "not-asked", "silence": "not-within", "endless": "not-asked", "restore": "not-within missed"}},
	{"Python", "PYTHON testdata/follow.py", "ended", map[string]string{"close": "recovered", "429": "recovered", "silence": "not-within"}},
	{"net/http", "LOOP loop", "", map[string]string{
		"429": "recovered too-early", "silence": "not-within", "endless": "not-asked"}},
}

// TestOthers holds what is said of them.
func TestOthers(t *testing.T) {
	for _, o := range others {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			command := strings.Fields(strings.NewReplacer("PYTHON", cmp.Or(os.Getenv("PYTHON"), "python3"), "LOOP", os.Args[0]).Replace(o.command))
			r, err := Run(t.Context(), Options{Command: command, Folder: t.TempDir(), Objects: []map[string]any{
				{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": "awaited"}}}})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range r.Verdicts {
				got := v.Summary()
				t.Logf("%-9s %s, %d requests, %v", v.Fault, v.Text(), v.Requests, v.From)
				want, is := o.want[v.Fault]
				if !is {
					want = cmp.Or(o.all, string(Recovered))
				}
				if got != want {
					t.Errorf("%s: %s, want %s: %+v", v.Fault, got, want, v)
				}
			}
		})
	}
}

func init() { programs["loop"] = loop }

// loop lists and watches, and begins again whatever happens, as many programs do.
func loop([]string) {
	config, err := kubeconfigtest.Read()
	if err != nil {
		panic(err)
	}
	client := &http.Client{Transport: config.Transport()}
	get := func(query string, take func(d *json.Decoder) error) error {
		r, err := config.Request(http.MethodGet, "/api/v1/configmaps"+query)
		if err != nil {
			return err
		}
		resp, err := client.Do(r)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		return take(json.NewDecoder(resp.Body))
	}
	for ; ; <-time.After(200 * time.Millisecond) {
		var list struct {
			Metadata struct{ ResourceVersion, Continue string }
		}
		for query := "?limit=500"; query != ""; {
			if get(query, func(d *json.Decoder) error { return d.Decode(&list) }) != nil {
				break
			}
			if query = ""; list.Metadata.Continue != "" {
				query = "?limit=500&continue=" + list.Metadata.Continue
				list.Metadata.Continue = ""
			}
		}
		get("?watch=true&resourceVersion="+list.Metadata.ResourceVersion, func(d *json.Decoder) error {
			for {
				var e struct{ Type string }
				if err := d.Decode(&e); err != nil || e.Type == "ERROR" {
					return err
				}
			}
		})
	}
}
