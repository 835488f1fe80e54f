//go:build unix

// Command quick checks what differs from the main branch, without a network: formatting, vet, and tests. It tests the packages
// that have changed, then those that import them, nearest first. After a minute it stops, and lists what it has left out.
//
//	go run ./web/project/quick
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	limit := flag.Duration("limit", time.Minute, "when to stop")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	if err := check(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "quick:", err)
		os.Exit(1)
	}
}

// check checks the module of the current folder, and writes to out what is said of it. When ctx ends, it lists the packages
// that were not tested, which is no error.
func check(ctx context.Context, out io.Writer) error {
	files, err := changed()
	if err != nil {
		return err
	}
	packages, err := list()
	if err != nil {
		return err
	}
	all, near, modules, err := order(packages, files)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintln(out, "no package differs from the main branch")
	}
	if err := formatted(files); err != nil {
		return err
	}
	left := all
	if len(near) > 0 {
		if err := run(ctx, out, append([]string{"vet"}, near...), nil); err == nil {
			err = run(ctx, out, append([]string{"test", "-vet=off"}, all...), func(tested string) {
				left = slices.DeleteFunc(slices.Clone(left), func(p string) bool { return p == tested })
			})
			if err != nil && ctx.Err() == nil {
				return err
			}
		} else if ctx.Err() == nil {
			return err
		}
	}
	if len(left) > 0 {
		fmt.Fprintf(out, "the time is over; these were not tested:\n  %s\n", strings.Join(left, "\n  "))
	}
	if len(modules) > 0 {
		fmt.Fprintf(out, "these modules of their own have changed, too, and were not tested:\n  %s\n", strings.Join(modules, "\n  "))
	}
	return nil
}

// changed returns the files that differ from the main branch, which is the remote's where there is one. Those that are not
// in any commit are among them, and those that were deleted, too.
func changed() ([]string, error) {
	since := "HEAD"
	for _, branch := range []string{"origin/main", "main"} {
		if commit, err := exec.Command("git", "merge-base", "HEAD", branch).Output(); err == nil {
			since = strings.TrimSpace(string(commit))
			break
		}
	}
	var files []string
	for _, args := range [][]string{{"diff", "--name-only", "--relative", since}, {"ls-files", "--others", "--exclude-standard"}} {
		names, err := exec.Command("git", args...).Output()
		if err != nil {
			return nil, fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
		}
		files = append(files, strings.Fields(string(names))...)
	}
	return files, nil
}

// listed is a package as "go list -json" describes it.
type listed struct {
	Dir, ImportPath                    string
	Imports, TestImports, XTestImports []string
}

// list returns the packages of the module.
func list() ([]listed, error) {
	c := exec.Command("go", "list", "-e", "-json=Dir,ImportPath,Imports,TestImports,XTestImports", "./...")
	c.Stderr = os.Stderr
	described, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(described))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// order returns the packages to be tested, by how many imports they are away from a change, and of these the ones that have
// changed. Folders of other modules that have changed come back beside them.
func order(packages []listed, files []string) (all, near, modules []string, err error) {
	top, err := os.Getwd()
	if err != nil {
		return nil, nil, nil, err
	}
	byFolder := map[string]string{}
	for _, p := range packages {
		folder, err := filepath.Rel(top, p.Dir)
		if err != nil {
			return nil, nil, nil, err
		}
		byFolder[filepath.ToSlash(folder)] = p.ImportPath
	}
	distance := map[string]int{}
	for _, file := range files {
		if module := moduleOf(file); module != "." {
			modules = append(modules, module)
			continue
		}
		owners, err := ownersOf(file, byFolder)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, p := range owners {
			distance[p] = 1
		}
	}
	for d := 1; ; d++ {
		known := len(distance)
		for _, p := range packages {
			if distance[p.ImportPath] == 0 && slices.ContainsFunc(slices.Concat(p.Imports, p.TestImports, p.XTestImports), func(i string) bool { return distance[i] == d }) {
				distance[p.ImportPath] = d + 1
			}
		}
		if len(distance) == known {
			break
		}
	}
	for p, d := range distance {
		all = append(all, p)
		if d == 1 {
			near = append(near, p)
		}
	}
	slices.SortFunc(all, func(p, q string) int { return cmp.Or(distance[p]-distance[q], strings.Compare(p, q)) })
	slices.Sort(near)
	slices.Sort(modules)
	return all, near, slices.Compact(modules), nil
}

// moduleOf returns the folder of the module that a file belongs to, "." for the main one.
func moduleOf(file string) string {
	folder := path.Dir(file)
	for ; folder != "."; folder = path.Dir(folder) {
		if _, err := os.Stat(filepath.Join(filepath.FromSlash(folder), "go.mod")); err == nil {
			break
		}
	}
	return folder
}

// ownersOf returns the packages that a file belongs to. A file in the folder of a package or below it belongs to that package.
// Any other belongs to those whose code names it, or names the folder that it lies in, such as web/lessons.
func ownersOf(file string, byFolder map[string]string) ([]string, error) {
	for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
		if p, ok := byFolder[folder]; ok {
			return []string{p}, nil
		}
	}
	name := file
	if parts := strings.Split(file, "/"); len(parts) > 2 {
		name = parts[0] + "/" + parts[1]
	}
	var owners []string
	for folder, p := range byFolder {
		code, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*.go"))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(code, func(f string) bool {
			text, err := os.ReadFile(f)
			return err == nil && strings.Contains(string(text), name)
		}) {
			owners = append(owners, p)
		}
	}
	return owners, nil
}

// formatted returns an error that names the files that gofmt would change.
func formatted(files []string) error {
	args := []string{"-l"}
	for _, f := range files {
		if _, err := os.Stat(f); err == nil && path.Ext(f) == ".go" {
			args = append(args, f)
		}
	}
	if len(args) == 1 {
		return nil
	}
	differ, err := exec.Command("gofmt", args...).CombinedOutput()
	if err != nil || len(differ) > 0 {
		return fmt.Errorf("not formatted (make fmt):\n%s", differ)
	}
	return nil
}

// run runs the go command and writes to out what it says. It calls tested, which may be nil, with each package whose tests
// have ended. When ctx ends, it interrupts the command and all that it has started.
func run(ctx context.Context, out io.Writer, args []string, tested func(importPath string)) error {
	c := exec.CommandContext(ctx, "go", args...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGINT) }
	c.WaitDelay = 5 * time.Second
	said, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	c.Stderr = c.Stdout
	if err := c.Start(); err != nil {
		return err
	}
	for lines := bufio.NewScanner(said); lines.Scan(); {
		status, rest, _ := strings.Cut(lines.Text(), "\t")
		ended := slices.Contains([]string{"ok  ", "FAIL", "?   "}, status) && rest != ""
		if ended && ctx.Err() == nil && tested != nil {
			importPath, _, _ := strings.Cut(rest, "\t")
			tested(strings.Fields(importPath)[0])
		}
		if status != "?   " {
			fmt.Fprintln(out, lines.Text())
		}
	}
	return c.Wait()
}
