package code

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each line that is lit must have run in the step. So the engine is compiled with
// counters, as for a measurement of coverage, plays all runs that the sentences are held
// against, and is compared with what the page would light after each step. The comparison
// is a test in wasm/picture/says that exists only for this: testdata/lit.go.txt.
func TestLitLinesHaveRun(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	f, err := read(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replaced := map[string]string{}
	files := map[string]bool{}
	for _, fn := range f.Functions {
		files[fn.File] = true
	}
	imports, rows := map[string]bool{}, "" // of the test's second file, which lists the counters
	for i, file := range slices.Sorted(maps.Keys(files)) {
		name, to := fmt.Sprintf("Counters%d", i), filepath.Join(dir, fmt.Sprintf("%d.go", i))
		if out, err := exec.Command("go", "tool", "cover", "-mode=set", "-var", name, "-o", to, filepath.Join(root, file)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		replaced[filepath.Join(root, file)] = to
		pkg := filepath.Dir(file)
		imports[pkg] = true
		rows += fmt.Sprintf("\t{file: %q, count: %s.%s.Count[:], pos: %[2]s.%[3]s.Pos[:]},\n", file, filepath.Base(pkg), name)
	}
	var b strings.Builder
	b.WriteString("package says\n\nimport (\n")
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&b, "\t%q\n", module+pkg)
	}
	fmt.Fprintf(&b, ")\n\nvar counters = []counted{\n%s}\n", rows)
	write := func(name string, content []byte) string {
		to := filepath.Join(dir, name)
		if err := os.WriteFile(to, content, 0o644); err != nil {
			t.Fatal(err)
		}
		return to
	}
	test, err := filepath.Abs("testdata/lit.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	replaced[filepath.Join(root, "wasm/picture/says/lit_test.go")] = test
	replaced[filepath.Join(root, "wasm/picture/says/counters_test.go")] = write("counters.go", []byte(b.String()))
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	code, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "test", "-vet=off", "-count=1", "-v", "-overlay", write("overlay.json", overlay), "-run", "^TestLitLinesHaveRun$", "./wasm/picture/says")
	c.Dir, c.Env = root, append(os.Environ(), "CODE_FILE="+write("code.json", code))
	out, err := c.CombinedOutput()
	t.Log(string(out))
	if err != nil || !strings.Contains(string(out), "--- PASS: TestLitLinesHaveRun") {
		t.Error(err)
	}
}
