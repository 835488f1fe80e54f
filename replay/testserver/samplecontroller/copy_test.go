// Package samplecontroller explores schedules of k8s.io/sample-controller, as its release has it. The
// controller is a package main, which nobody can import. So its file is put into the package explored
// while this test runs, under that package's name, and nothing of it is kept here.
package samplecontroller

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const controller = "controller.go"

func TestSampleController(t *testing.T) {
	where, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/sample-controller").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(where)), controller))
	if err != nil {
		t.Fatal(err)
	}
	const main, explored = "\npackage main\n", "\npackage explored\n"
	if bytes.Count(text, []byte(main)) != 1 {
		t.Fatalf("%s is no package main", controller)
	}
	dir := t.TempDir()
	copied := filepath.Join(dir, controller)
	if err := os.WriteFile(copied, bytes.Replace(text, []byte(main), []byte(explored), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	seen, err := filepath.Abs(filepath.Join("explored", controller))
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {seen: copied}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"test", "-tags", "copied", "-overlay", file, "-count=1"}
	if testing.Verbose() {
		args = append(args, "-v")
	}
	out, err := exec.Command("go", append(args, "./explored")...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
