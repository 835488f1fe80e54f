package v037

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// modules are the modules in which lessons' facts are looked up, by the name with which a
// fact's file begins. A file of client-go begins with none.
var modules = map[string]string{
	"apimachinery": "k8s.io/apimachinery", "apiserver": "k8s.io/apiserver", "component-base": "k8s.io/component-base",
	"controller-runtime": "sigs.k8s.io/controller-runtime",
}

// source is a file of a release of a module.
type source struct{ module, version, file string }

// TestLessonFacts looks up what lessons say of versions: a text must stand in the source of one
// release, and must be missing from the source of the release before or after it. The facts
// are in engine/script/lesson/testdata/facts.txt. Tests there hold the prose to them.
func TestLessonFacts(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(proof.Top(t), "engine/script/lesson/testdata/facts.txt"))
	if err != nil {
		t.Fatal(err)
	}
	last := map[int]string{}
	type lookup struct {
		line  int
		in    source
		text  string
		found bool // what is wanted
	}
	var all []lookup
	for i, line := range strings.Split(string(text), "\n") {
		if words, is := strings.CutPrefix(line, "last "); is {
			for _, v := range strings.Fields(words) {
				minor, _ := release(t, v)
				last[minor] = v
			}
		}
		column := strings.SplitN(line, " | ", 3)
		if strings.HasPrefix(line, "#") || len(column) < 3 {
			continue
		}
		f := strings.SplitN(column[2], " ", 4)
		if f[0] == "block" || f[0] == "gate" {
			continue
		}
		module, file := "k8s.io/client-go", f[2]
		if name, rest, _ := strings.Cut(file, "/"); modules[name] != "" {
			module, file = modules[name], rest
		}
		minor, patch := release(t, f[1])
		first := func(minor int) string { return "v0." + strconv.Itoa(minor) + ".0" }
		want := map[string]bool{}
		switch f[0] {
		case "in":
			want[f[1]] = true
		case "until":
			want[last[minor]], want[first(minor+1)] = true, false
		case "since":
			want["v0."+strconv.Itoa(minor)+"."+strconv.Itoa(patch)] = true
			if patch > 0 {
				want["v0."+strconv.Itoa(minor)+"."+strconv.Itoa(patch-1)] = false
			} else if minor != 18 { // of v0.17 only its last release is looked at
				want[first(minor-1)] = false
			}
			if patch == 0 && fixedBefore[f[3]] == 0 {
				want[last[minor-1]] = false
			}
		default:
			t.Errorf("facts.txt:%d: there is no %s", i+1, f[0])
		}
		for version, found := range want {
			all = append(all, lookup{i + 1, source{module, version, file}, f[3], found})
		}
	}
	var wanted []source
	for _, l := range all {
		wanted = append(wanted, l.in)
	}
	at := download(t, wanted)
	for _, l := range all {
		text, err := os.ReadFile(filepath.Join(at[l.in.module+"@"+l.in.version], l.in.file))
		if err != nil && (l.found || !os.IsNotExist(err)) {
			t.Errorf("facts.txt:%d: %v", l.line, err)
			continue
		}
		if has := strings.Contains(oneLine(string(text)), oneLine(l.text)); has != l.found {
			t.Errorf("facts.txt:%d: %s of %s %s has %q: %t", l.line, l.in.file, l.in.module, l.in.version, l.text, has)
		}
	}
}

// fixedBefore are texts that a first release of a minor had, and that later patches of the
// minor before got as well.
var fixedBefore = map[string]int{"// Do deletion detection against objects in the queue": 1}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// release takes a version apart: v0.27.3 and v0.27 are the releases 3 and 0 of 27.
func release(t *testing.T, version string) (minor, patch int) {
	t.Helper()
	part := strings.Split(version, ".")
	if len(part) == 2 {
		part = append(part, "0")
	}
	minor, err := strconv.Atoi(part[1])
	if err == nil {
		patch, err = strconv.Atoi(part[2])
	}
	if err != nil || part[0] != "v0" {
		t.Fatal("not a version:", version)
	}
	return minor, patch
}

// download returns the folders of the modules of sources, by MODULE@VERSION.
func download(t *testing.T, sources []source) map[string]string {
	t.Helper()
	at := map[string]string{}
	args := []string{"mod", "download", "-json"}
	for _, s := range sources {
		if name := s.module + "@" + s.version; at[name] == "" {
			at[name] = "?"
			args = append(args, name)
		}
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var m struct{ Path, Version, Dir string }
		if err := d.Decode(&m); err != nil {
			t.Fatal(err)
		}
		at[m.Path+"@"+m.Version] = m.Dir
	}
	return at
}
