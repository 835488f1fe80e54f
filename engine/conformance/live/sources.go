package live

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
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
