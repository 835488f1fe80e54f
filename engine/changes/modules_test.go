package changes

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/world"
)

var requires = regexp.MustCompile(`k8s\.io/client-go (v0\.(\d+)\S+)`)

// modules are the releases of client-go that modules of engine/conformance/live compare with the engine, the oldest first.
func modules(t *testing.T) (all []string) {
	files, err := filepath.Glob("../conformance/live/v[0-9]*/go.mod")
	if err != nil || len(files) == 0 {
		t.Fatal("no modules", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := requires.FindSubmatch(text)
		if m == nil || !slices.Contains(world.Releases(), string(m[1])) {
			t.Fatalf("%s requires no release of client-go that has a profile", file)
		}
		if folder := filepath.Base(filepath.Dir(file)); folder != "v0"+string(m[2]) {
			t.Errorf("%s requires client-go %s", file, m[1])
		}
		all = append(all, string(m[1]))
	}
	return all
}

// TestModules: each gate has modules on both sides of it, in neighbouring minor versions: one that compares with a
// client-go without it, and one with it. The same holds for what client-go's workqueue and metrics have gained. What
// else of the workqueue has changed up to v0.37 are types and options, and that ShutDown of v0.35 waits for the goroutine
// of the metrics.
func TestModules(t *testing.T) {
	all := modules(t)
	newest := world.Releases()[len(world.Releases())-1]
	minor := func(release string) int { return int(release[3]-'0')*10 + int(release[4]-'0') }
	sides := map[string]func(release string) bool{
		"ShutDownWithDrain of workqueues": func(release string) bool { return release >= "v0.23" },
		"transformers of informers":       func(release string) bool { return release >= "v0.24" },
		"metrics of informers":            func(release string) bool { return release >= "v0.36" },
	}
	for i := range Gates {
		g := &Gates[i]
		sides[g.Name] = func(release string) bool { return !g.Differs(release, newest) }
	}
	for name, has := range sides {
		at := slices.IndexFunc(all, has)
		if at < 0 {
			t.Errorf("%s: no module has it", name)
		} else if name == "finds-kept" {
			// v0.22 has nothing to lose, so what came with v0.23.6 stands between the second module and the third.
			if all[1] != "v0.23.5" || has(all[1]) || !has(all[2]) {
				t.Errorf("%s: %s or %s is not what it should be", name, all[1], all[2])
			}
		} else if at == 0 || minor(all[at])-minor(all[at-1]) != 1 {
			t.Errorf("%s: no module is just before %s, which has it", name, all[at])
		}
	}
	for i, release := range all {
		if i > 0 && minor(release) != minor(all[i-1])+1 {
			t.Errorf("no module is between %s and %s", all[i-1], release)
		}
	}
	if releases := world.Releases(); minor(all[0]) != minor(releases[0]) || all[len(all)-1] != newest {
		t.Errorf("there are modules of %s to %s", all[0], all[len(all)-1])
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	var folders, elections []string
	for i, release := range all {
		folders = append(folders, "v0"+release[3:5])
		gate := func(a, b int) bool { // reports whether the two differ in how they elect a leader
			return b < len(all) && slices.ContainsFunc(Between(all[a], all[b]), func(c Change) bool { return c.Shows == Elections })
		}
		if i == 0 || gate(i-1, i) || gate(i, i+1) {
			elections = append(elections, folders[i])
		}
	}
	if !strings.Contains(string(makefile), "\nELECTIONS     = "+strings.Join(elections, " ")+"\n") {
		t.Errorf("ELECTIONS of the Makefile is not %s", strings.Join(elections, " "))
	}
	known := len(folders)
	if _, last := world.VersionsKnown(); minor(last) < minor(newest) {
		known--
	}
	for name, want := range map[string][]string{"VERSIONS     ": folders[:known], "BETA         ": folders[known:]} {
		if !strings.Contains(string(makefile), "\n"+name+" = "+strings.Join(want, " ")+"\n") {
			t.Errorf("%s of the Makefile is not %s", strings.TrimSpace(name), strings.Join(want, " "))
		}
	}
}
