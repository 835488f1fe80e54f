package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// library is a module, with what is taken from it for the page's program.
type library struct {
	module string
	ours   string // the folder with our own files in this one
	// kept are the module's files in the part: a file, or all Go files of a folder that aren't replaced.
	kept []string
	// replaced are the module's files in whose places ours are, with their SHA-256 sums. When one of them has
	// changed, ours have to be looked through before its new sum can stand here.
	replaced map[string]string
}

// browser calls JavaScript. It adds a stack trace to each error, which is printed by package fmt, and nothing on the
// page asks for it.
var browser = library{
	module:   "github.com/hack-pad/safejs",
	ours:     "_safejs",
	kept:     []string{"go.mod", "bytes.go", "doc.go", "error.go", "func.go", "global.go", "type.go", "value.go", "internal/catch/catch.go"},
	replaced: map[string]string{"internal/stackerr/stackerr.go": "1b8f8a53fabab1ebe4ae20667161fb350037187d744a3c34c76e43aafb20cb95"},
}

//go:embed all:_json all:_safejs fmt/fmt.go
var own embed.FS

// trimmed makes a go.mod and a go.sum in the folder, beside the libraries' parts. In it, each library is replaced by
// its part. It returns the name of the go.mod, which -modfile takes.
func trimmed(folder string, libraries ...library) (string, error) {
	root, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	main := strings.TrimSpace(string(root))
	mod, err := os.ReadFile(main)
	if err != nil {
		return "", err
	}
	sum, err := os.ReadFile(strings.TrimSuffix(main, "mod") + "sum")
	if err != nil {
		return "", err
	}
	for _, l := range libraries {
		at := filepath.Join(folder, path.Base(l.module))
		if err := l.write(at); err != nil {
			return "", fmt.Errorf("%s: %w", l.module, err)
		}
		to, err := fromRoot(filepath.Dir(main), at)
		if err != nil {
			return "", err
		}
		mod = fmt.Appendf(mod, "\nreplace %s => %q\n", l.module, to)
	}
	if err := os.WriteFile(filepath.Join(folder, "page.mod"), mod, 0o644); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(folder, "page.sum"), sum, 0o644); err != nil {
		return "", err
	}
	return filepath.Abs(filepath.Join(folder, "page.mod"))
}

// write makes the folder with the library's part.
func (l library) write(folder string) error {
	said, err := exec.Command("go", "mod", "download", "-json", l.module).Output()
	if err != nil {
		return fmt.Errorf("where it lies: %w", err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(said, &module); err != nil {
		return err
	}
	files, err := l.part(os.DirFS(module.Dir))
	if err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, content := range files {
		target := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// fromRoot returns where a folder lies, seen from the module's root. The linker writes that into the
// program, which must be the same wherever the module lies.
func fromRoot(root, folder string) (string, error) {
	to, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	if to, err = filepath.Rel(root, to); err != nil {
		return "", err
	}
	if to = filepath.ToSlash(to); !strings.HasPrefix(to, "../") {
		to = "./" + to // or else it would be the path of a module
	}
	return to, nil
}

// part returns the files of the library's part. They have our package fmt in the place of the standard library's.
func (l library) part(module fs.FS) (map[string][]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(l.replaced)) {
		content, err := fs.ReadFile(module, name)
		if err != nil {
			return nil, fmt.Errorf("web/build/%s replaces a file that isn't there: %w", l.ours, err)
		}
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != l.replaced[name] {
			return nil, fmt.Errorf("web/build/%s replaces another %s than the one that is there, with sum %x", l.ours, name, sum)
		}
	}
	files := map[string][]byte{}
	add := func(from fs.FS) fs.WalkDirFunc {
		return func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				files[name], err = fs.ReadFile(from, name)
			}
			return err
		}
	}
	for _, root := range l.kept {
		if err := fs.WalkDir(module, root, add(module)); err != nil {
			return nil, err
		}
	}
	maps.DeleteFunc(files, func(name string, _ []byte) bool {
		return l.replaced[name] != "" || strings.HasSuffix(name, "_test.go") || !slices.Contains([]string{".go", ".s", ".mod"}, path.Ext(name))
	})
	ours, err := fs.Sub(own, l.ours)
	if err != nil {
		return nil, err
	}
	if err := fs.WalkDir(ours, ".", add(ours)); err != nil {
		return nil, err
	}
	for name, content := range files {
		files[name] = bytes.Replace(content, []byte("\"fmt\"\n"), fmt.Appendf(nil, "%q\n", l.module+"/internal/fmt"), 1)
	}
	files["internal/fmt/fmt.go"], err = own.ReadFile("fmt/fmt.go")
	return files, err
}
