package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// library reads JSON on the page.
const library = "github.com/goccy/go-json"

// hooks are the statements by which the library links its encoder into every program
// that imports it, by the files in which they stand. The page's program only decodes,
// and weighs 390 kB less, gzipped, without the encoder. TestPageOnlyDecodes in engine
// guards that nothing on the page calls it.
var hooks = map[string]string{
	"json.go":                     "\tencoder.Marshal = Marshal\n",
	"internal/encoder/run/run.go": "\tencoder.RunHook = Code\n",
}

// sorted are the files of the library that sort small slices while they compile a decoder, and
// the type of what they sort. With package sort the page's program weighs 10 kB less than with
// an instance of each function of slices for each type.
var sorted = map[string]string{
	"internal/decoder/compile.go":   "fieldCandidate",
	"internal/jsonfields/fields.go": "Field",
}

// lighter returns one of these files with its calls of slices replaced.
func lighter(content []byte, typ string) ([]byte, error) {
	const imported = "\t\"slices\"\n"
	out := bytes.ReplaceAll(bytes.ReplaceAll(content, []byte("slices.SortStableFunc("), []byte("sortBy(")), []byte("slices.SortFunc("), []byte("sortBy("))
	if bytes.Equal(out, content) || bytes.Count(out, []byte(imported)) != 1 {
		return nil, fmt.Errorf("%s sorts in another way than sorted says", library)
	}
	out = bytes.Replace(out, []byte(imported), []byte(imported+"\t\"sort\"\n"), 1)
	return fmt.Appendf(out, "\nfunc sortBy(all []%s, compare func(a, b %[1]s) int) {\n\tsort.SliceStable(all, func(i, j int) bool { return compare(all[i], all[j]) < 0 })\n}\n", typ), nil
}

// withoutEncoder makes a go.mod in the folder that has the library replaced by a copy
// without the hooks, and returns its name, which -modfile takes.
func withoutEncoder(folder string) (string, error) {
	said, err := exec.Command("go", "mod", "download", "-json", library).Output()
	if err != nil {
		return "", fmt.Errorf("where %s lies: %w", library, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(said, &module); err != nil {
		return "", err
	}
	if err := copyPackages(module.Dir, folder); err != nil {
		return "", err
	}
	root, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	main := strings.TrimSpace(string(root))
	for _, ext := range []string{"mod", "sum"} {
		content, err := os.ReadFile(strings.TrimSuffix(main, "mod") + ext)
		if err != nil {
			return "", err
		}
		if ext == "mod" {
			to, err := filepath.Abs(folder)
			if err != nil {
				return "", err
			}
			content = fmt.Appendf(content, "\nreplace %s => %q\n", library, to)
		}
		if err := os.WriteFile(folder+"."+ext, content, 0o644); err != nil {
			return "", err
		}
	}
	return filepath.Abs(folder + ".mod")
}

// copyPackages copies a module's Go files, without its tests and without the hooks.
func copyPackages(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	left := len(hooks)
	root := os.DirFS(from)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name != "go.mod" && !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		content, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if hook := []byte(hooks[name]); len(hook) > 0 && bytes.Count(content, hook) == 1 {
			content = bytes.Replace(content, hook, nil, 1)
			left--
		}
		if typ := sorted[name]; typ != "" {
			if content, err = lighter(content, typ); err != nil {
				return err
			}
		}
		target := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
	if err == nil && left > 0 {
		err = fmt.Errorf("%s links its encoder in another way than hooks says", library)
	}
	return err
}
