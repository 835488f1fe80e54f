package live

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// PageSources checks that client-go has the functions that the page names as the
// counterparts of the engine's in a minor version, such as "v0.22".
func PageSources(t *testing.T, minor string) {
	const name = "wasm/picture/says/testdata/clientgo.txt"
	text, err := os.ReadFile(filepath.Join(proof.Top(t), name))
	if err != nil {
		t.Fatal(err)
	}
	if lookUp(t, name, minor, strings.Split(strings.TrimSpace(string(text)), "\n")) == 0 {
		t.Error("the page names no function of", minor)
	}
}

// lookUp checks that client-go has the functions of a minor version that some lines name,
// and returns how many they are. A line has the version, the file and the function.
func lookUp(t *testing.T, at, minor string, lines []string) (found int) {
	t.Helper()
	for _, line := range lines {
		f := strings.Fields(line)
		if f[0] != minor {
			continue
		}
		found++
		module, file := "client-go", f[1]
		if rest, is := strings.CutPrefix(file, "apimachinery/"); is {
			module, file = "apimachinery", rest
		}
		if !declares(filepath.Join(folder(t, "k8s.io/"+module), file), f[2]) {
			t.Errorf("%s: %s %s has no %s in %s", at, module, minor, f[2], file)
		}
	}
	return found
}

var folders = map[string]string{}

// folder returns where the source of a module lies.
func folder(t *testing.T, module string) string {
	t.Helper()
	if folders[module] == "" {
		dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		if err != nil {
			t.Fatal(err)
		}
		folders[module] = strings.TrimSpace(string(dir))
	}
	return folders[module]
}

// declares reports whether a file has a function "Name", or a method "Type.Name".
func declares(file, name string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		is := fn.Name.Name
		if fn.Recv != nil {
			is = receiver(fn.Recv.List[0].Type) + "." + is
		}
		if is == name {
			return true
		}
	}
	return false
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// Lessons returns the lines of the blocks of a kind in the lessons, by the place of
// the block's first line.
func Lessons(t *testing.T, kind string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(proof.Top(t), "web/lessons/en/*.md"))
	if err != nil || len(files) == 0 {
		t.Fatal("no lessons", err)
	}
	blocks := map[string][]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		at := ""
		for i, line := range strings.Split(string(text), "\n") {
			switch {
			case strings.HasPrefix(line, "```"):
				at = ""
				if line == "```"+kind {
					at = filepath.Base(name) + ":" + strconv.Itoa(i+1)
				}
			case at != "":
				blocks[at] = append(blocks[at], line)
			}
		}
	}
	if len(blocks) == 0 {
		t.Fatal("the lessons have no", kind)
	}
	return blocks
}

// LessonSources checks that client-go has the functions to which lessons refer for
// a minor version, such as "v0.22", in the files that they name.
func LessonSources(t *testing.T, minor string) {
	found := 0
	for at, lines := range Lessons(t, "source") {
		found += lookUp(t, at, minor, lines)
	}
	if found == 0 {
		t.Error("no lesson refers to", minor)
	}
}

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
