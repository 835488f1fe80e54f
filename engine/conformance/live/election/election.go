// Package election compares the engine with client-go's leader election. It is a package of its own because leader
// election imports the clientset, which is large.
package election

import (
	"flag"
	"io"
	"math/rand"
	"os"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"github.com/informerscope/informerscope/engine/conformance/live/releases"
	"k8s.io/klog/v2"
)

var update = flag.Bool("update", false, "write what this version prints into its transcripts")

// quiet makes client-go log nothing.
func quiet() {
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	flags.Set("logtostderr", "false")
	flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)
}

// Random compares a version of client-go with the engine on random scripts, and the engine with each gate of the
// election turned over in which the version differs from one that is next to it.
func Random(t *testing.T, version string) {
	quiet()
	can := holds(version)
	proof.Controller(t, proof.Family{
		Name: "le", Fixed: 1, Args: []string{"-client-go", version},
		Script: func(r *rand.Rand) []proof.Op { return script(r, can) },
		Play:   func(t *testing.T, s []proof.Op) []string { return play(t, s, can) },
		Gates:  func(bin string) []string { return releases.Gates(t, bin, version, "-controller") },
	})
}

// Transcripts plays the scripts of testdata/controller/le.jsonl to a version of client-go. What stands there of this
// version must be what it prints. On the scripts of other versions the engine must be like it.
func Transcripts(t *testing.T, version string) {
	quiet()
	bin := proof.Build(t)
	all := proof.Transcripts(t, "le")
	for i := range all {
		s := &all[i]
		held := slices.ContainsFunc(s.Script, func(op proof.Op) bool { return op["op"] == "le.hold" })
		if held && !holds(version) {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			got, want, whose := play(t, s.Script, holds(version)), s.Out, "transcript"
			switch {
			case s.Of != version:
				want, whose = proof.Answers(t, bin, s.Script, "-controller", "-client-go", version), "engine"
			case *update:
				s.Out = got
				return
			}
			if at := proof.Differs(got, want); at >= 0 {
				t.Errorf("operation %d: %s\nreal %s\n%s %s", at, s.In[at], got[at], whose, want[at])
			}
		})
	}
	if *update {
		if err := os.WriteFile(proof.TranscriptsOf(t, "le"), []byte(proof.Text(all)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
