// Package releases says which versions of client-go the modules beside it compare with the engine.
package releases

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

var requires = regexp.MustCompile(`k8s\.io/client-go (v\S+)`)

// Versions returns those that the modules require, the oldest first.
func Versions(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(proof.Top(t), "engine/conformance/live/v[0-9]*/go.mod"))
	if err != nil || len(files) == 0 {
		t.Fatal("no modules", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if m := requires.FindSubmatch(text); m != nil {
			all = append(all, string(m[1]))
		}
	}
	return all
}

// Neighbours returns the next older and the next newer version.
func Neighbours(t *testing.T, version string) []string {
	t.Helper()
	all := Versions(t)
	i := slices.Index(all, version)
	if i < 0 {
		t.Fatalf("no module requires client-go %s", version)
	}
	return slices.Concat(all[max(i-1, 0):i], all[i+1:min(i+2, len(all))])
}

// Gates returns those in which a version differs from the versions that are next to it, and which the driver can turn over:
// informers' gates, or elections' where args have -controller.
func Gates(t *testing.T, bin, version string, args ...string) (gates []string) {
	t.Helper()
	for _, beside := range Neighbours(t, version) {
		out, err := exec.Command(bin, append(args, "-client-go", version, "-gates", beside)...).Output()
		if err != nil {
			t.Fatalf("the driver: %v", err)
		}
		for gate := range strings.FieldsSeq(string(out)) {
			if !slices.Contains(gates, gate) {
				gates = append(gates, gate)
			}
		}
	}
	return gates
}
