package controllers

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

var update = flag.Bool("update", false, "write what the real code prints into the version's own transcripts")

// Newest is the version whose transcripts have no version in their names.
const Newest = 25

// Transcripts plays the kept scripts to real code: what the newest version printed is in their files, and what another
// version prints is compared with the engine's. Scripts with what a version hasn't are left out. A file of
// a version, such as pq.v0.22.jsonl, has scripts that show how it differs.
func Transcripts(t *testing.T, v *Version) {
	bin := proof.Build(t)
	for _, f := range v.families() {
		played := 0
		for _, s := range read(t, f.Name+".jsonl") {
			if !v.supports(s.ops) {
				continue
			}
			played++
			want := s.printed
			if v.Minor != Newest {
				want = f.Engine(t, bin, s.ops)
			}
			compare(t, f.Name+"/"+s.name, &f, s.ops, want)
		}
		t.Logf("%s: %d scripts", f.Name, played)
		own := fmt.Sprintf("%s.v0.%d.jsonl", f.Name, v.Minor)
		scripts := read(t, own)
		for i := range scripts {
			s := &scripts[i]
			if *update {
				s.printed = f.Play(t, s.ops)
				continue
			}
			compare(t, own+"/"+s.name, &f, s.ops, s.printed)
		}
		if *update && len(scripts) > 0 {
			write(t, own, scripts)
		}
	}
}

func compare(t *testing.T, name string, f *proof.Family, ops []proof.Op, want []string) {
	t.Run(name, func(t *testing.T) {
		got := f.Play(t, ops)
		if at := proof.Differs(got, want); at >= 0 {
			op, _ := json.Marshal(ops[at])
			t.Errorf("operation %d: %s\nreal %s\nwant %s", at, op, got[at], want[at])
		}
	})
}

// recordedScript is a script of a file, with what was printed for it.
type recordedScript struct {
	name    string
	in      []string
	ops     []proof.Op
	printed []string
}

func path(t *testing.T, file string) string {
	return filepath.Join(proof.Top(t), "engine/conformance/testdata/controller", file)
}

// read reads a file of testdata/controller: a line with the name of each script, and then, by turns, an operation and
// what real code printed. A file that isn't there has no scripts.
func read(t *testing.T, file string) (all []recordedScript) {
	text, err := os.ReadFile(path(t, file))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		op := proof.Op{}
		if err := json.Unmarshal([]byte(line), &op); err != nil {
			t.Fatal(err)
		}
		if name, begins := op["script"].(string); begins {
			all = append(all, recordedScript{name: name})
			continue
		}
		s := &all[len(all)-1]
		if _, printed := op["i"]; printed {
			s.printed = append(s.printed, line)
		} else {
			s.in, s.ops = append(s.in, line), append(s.ops, op)
		}
	}
	return all
}

func write(t *testing.T, file string, all []recordedScript) {
	var text strings.Builder
	for _, s := range all {
		name, _ := json.Marshal(s.name)
		fmt.Fprintf(&text, "{\"script\": %s}\n", name)
		for i := range s.in {
			fmt.Fprintf(&text, "%s\n%s\n", s.in[i], s.printed[i])
		}
	}
	if err := os.WriteFile(path(t, file), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// supports reports whether the version has all that a script asks for. Up to v0.18, a panic that nobody asks to be
// recovered would end the process.
func (v *Version) supports(ops []proof.Op) bool {
	text, _ := json.Marshal(ops)
	says := func(part string) bool { return strings.Contains(string(text), part) }
	switch {
	case v.Queue == nil && (says(`"usePQ":true`) || says(`"mgrUsePQ":true`) || says(`"limit.addWithOpts"`)):
		return false
	case v.Minor < 19 && says(`"panic":true`) && !says(`"recover":true`), v.Minor < 22 && says(`"timeoutMs"`):
		return false
	}
	return v.Minor >= 23 || !says(`"results"`) || !says(`"prio":`)
}
