package live

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Overlay is a build of packages that stand nowhere but in a temporary folder.
type Overlay struct {
	t       *testing.T
	dir     string
	Out     string // the folder
	Path    string // of the packages, up to their names
	replace map[string]string
}

// NewOverlay begins a build with the module of the calling test.
func NewOverlay(t *testing.T) *Overlay {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	module, err := exec.Command("go", "list", "-m").Output()
	if err != nil {
		t.Fatal(err)
	}
	return &Overlay{t: t, dir: dir, Out: t.TempDir(), Path: strings.TrimSpace(string(module)) + "/lessons/", replace: map[string]string{}}
}

// Add adds a package of one file.
func (b *Overlay) Add(folder, text string) { b.AddFile(folder, folder+".go", text) }

// AddFile adds a file of a package.
func (b *Overlay) AddFile(folder, file, text string) {
	name := filepath.Join(b.Out, file)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.replace[filepath.Join(b.dir, "lessons", folder, file)] = name
}

// Build makes a command of go, such as build, build packages that were added.
func (b *Overlay) Build(t *testing.T, command string, flags []string, folders ...string) {
	text, err := json.Marshal(map[string]any{"Replace": b.replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(b.Out, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{command, "-overlay", file}, flags...)
	for _, folder := range folders {
		args = append(args, b.Path+folder)
	}
	if text, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}
