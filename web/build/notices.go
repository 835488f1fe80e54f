package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// buildConfig is what is made of packages: for which system, and with which build tags.
type buildConfig struct {
	env  []string
	args []string
}

// ofPage makes the page's two programs.
var ofPage = buildConfig{[]string{"GOOS=js", "GOARCH=wasm"}, []string{"-tags=page", "./wasm/..."}}

// ofProgram makes the program of each system as it is released. It carries the page.
var ofProgram = []buildConfig{
	{[]string{"GOOS=linux"}, []string{"-tags=withpage", "./replay/cmd/informerscope"}},
	{[]string{"GOOS=darwin"}, []string{"-tags=withpage", "./replay/cmd/informerscope"}},
	{[]string{"GOOS=windows"}, []string{"-tags=withpage", "./replay/cmd/informerscope"}},
	ofPage,
}

// notices returns the licences of the modules in what is made, and of Go, each under the module's name. Root is the
// folder of the project. Licences such as BSD's and MIT's ask for a copy beside each program.
func notices(root string, all ...buildConfig) ([]byte, error) {
	dirs := map[string]string{} // by module and version
	for _, b := range all {
		list := exec.Command("go", append([]string{"list", "-e", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"}, b.args...)...)
		list.Dir, list.Env, list.Stderr = root, append(append(os.Environ(), "CGO_ENABLED=0"), b.env...), os.Stderr
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		for line := range strings.Lines(string(out)) {
			if module, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				dirs[module] = dir
			}
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	dirs["Go"] = strings.TrimSpace(string(goroot))
	var names []string
	for name := range dirs {
		names = append(names, name)
	}
	slices.Sort(names)
	var b bytes.Buffer
	b.WriteString("informerscope, its page, and what they are made of. Its own licence is in LICENSE.\n")
	for _, name := range names {
		texts, err := licences(dirs[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&b, "\n%s\n%s\n\n", strings.Repeat("=", 80), name)
		b.Write(texts)
	}
	return b.Bytes(), nil
}

// licences returns the texts of the licence and of the notices in a module's folder.
func licences(dir string) ([]byte, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, f := range files {
		name := strings.ToUpper(strings.TrimSuffix(strings.TrimSuffix(f.Name(), ".md"), ".txt"))
		if f.IsDir() || !strings.HasPrefix(name, "LICEN") && name != "NOTICE" && name != "COPYING" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		b.Write(append(bytes.TrimSpace(text), '\n'))
	}
	if b.Len() == 0 {
		return nil, errors.New("there is no licence")
	}
	return b.Bytes(), nil
}
