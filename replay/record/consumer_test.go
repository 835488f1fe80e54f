package record

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A controller that uses this package gets two more modules, whatever else is in this one, and
// nothing of Kubernetes. Its tests get no others.
func TestWhatAConsumersModuleGains(t *testing.T) {
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	gomod, err := os.ReadFile(filepath.Join(top, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(top, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go .*$`).FindString(string(gomod))
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/controller\n\ngo 1.21.0\n\nrequire github.com/informerscope/informerscope v0.0.0\n\nreplace github.com/informerscope/informerscope => " + top + "\n",
		"go.sum": string(sums),
		"main.go": `package main

import (
	"context"
	"io"

	"github.com/informerscope/informerscope/replay/record"
)

func main() {
	rec, err := record.New(io.Discard, record.Options{})
	if err != nil {
		panic(err)
	}
	record.Sync(rec, "web", func(context.Context, string) error { return nil })(context.Background(), "shop/web")
	if err := rec.Close(); err != nil {
		panic(err)
	}
}
`,
		"main_test.go": `package main

import (
	"testing"

	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/testserver/explore"
)

func TestNothing(t *testing.T) {
	explore.Explore(t, explore.Options{Runs: 2}, func(r *explore.Run) {
		if err := whatif.New(r.Transport).Play(r.Context(), explore.Host, "exists pods shop/a"); err != nil {
			r.Log(err) // one of the faults
		}
		testserver.New(testserver.Options{}).Close()
	})
}
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, how := range [][]string{{"run", "."}, {"test", "-vet=off", "."}} {
		cmd := exec.Command("go", how...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v: %s", how, err, out)
		}
	}
	now, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var gained []string
	for line := range strings.Lines(string(now)) {
		if module, ok := strings.CutSuffix(strings.TrimSpace(line), " // indirect"); ok {
			name, _, _ := strings.Cut(strings.TrimPrefix(module, "require "), " ")
			gained = append(gained, name)
		}
	}
	if !strings.Contains(string(now), "\n"+version+"\n") {
		t.Errorf("its go line doesn't rise to %s:\n%s", version, now)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "its `go` line rises to " + strings.TrimPrefix(version, "go "); !strings.Contains(string(readme), want) {
		t.Errorf("the README doesn't say that %s", want)
	}
	slices.Sort(gained)
	if want := []string{"github.com/goccy/go-json"}; !slices.Equal(gained, want) {
		t.Errorf("it gains %v, and not %v:\n%s", gained, want, now)
	}
}
