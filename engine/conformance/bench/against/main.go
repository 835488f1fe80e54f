// Command against measures this tree against another commit. The two are measured by
// turns, because a shared machine is faster at one moment than at another, and what
// counts is the ratio within a turn. It prints, for each figure, how many times as good
// this tree is, and how far the turns were apart, and at last what became worse by more
// than that.
//
// A measure is a Go benchmark of some package, or a benchmark of web/test, which opens a
// built page in a browser. Each is driven by this tree's harness: its test files are laid
// over the other commit's. If they don't compile there, the other commit's own benchmark
// of that name is run, and the figures are marked. If it has none, the measure is listed
// as not comparable.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func main() {
	ref := flag.String("ref", "", "the other commit")
	names := flag.String("measures", "", "the measures, joined by commas, or all; none for "+strings.Join(usual(), ","))
	turns := flag.Int("turns", 5, "how many turns, at least five")
	flag.Parse()
	if err := run(*ref, *names, *turns); err != nil {
		fmt.Fprintln(os.Stderr, "against:", err)
		os.Exit(1)
	}
}

func run(ref, names string, turns int) error {
	if ref == "" {
		return fmt.Errorf("no commit to measure against: make bench-against REF=main")
	}
	if turns < 5 {
		return fmt.Errorf("%d turns say too little about the spread: five at least", turns)
	}
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	top, err := output("", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	commit, err := output(top, "git", "log", "-1", "--format=%h %s", ref, "--")
	if err != nil {
		return err
	}
	here := tree{dir: top, built: filepath.Join(top, "build", "against", "this")}
	other := tree{dir: filepath.Join(top, "build", "against", "tree"), built: filepath.Join(top, "build", "against", "other")}
	remove := func() { _, _ = output(top, "git", "worktree", "remove", "--force", other.dir) }
	remove() // what a run that was killed has left
	if _, err := output(top, "git", "worktree", "add", "--detach", other.dir, strings.Fields(commit)[0]); err != nil {
		return err
	}
	defer remove()
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-stopped
		remove()
		os.Exit(1)
	}()

	fmt.Printf("this tree against %s\n", commit)
	began := time.Now()
	var ready []built
	for _, m := range chosen {
		b, err := m.build(here, other)
		if err != nil {
			fmt.Printf("not comparable: %s: %s\n", m.name, firstLine(err))
			continue
		}
		ready = append(ready, b)
	}
	all := newResults()
	for turn := range turns {
		for i := range ready {
			b := &ready[i]
			if b.failed != nil {
				continue
			}
			if now, old, err := b.play(turn%2 == 0); err != nil {
				b.failed = err
				fmt.Printf("not comparable: %s: %s\n", b.name, firstLine(err))
			} else {
				all.add(b.name+b.mark, now, old)
			}
		}
	}
	fmt.Print(all.table(turns))
	fmt.Printf("%d turns in %s\n", turns, time.Since(began).Round(time.Second))
	return nil
}

// output runs a command in a folder and returns what it printed, without the newline at
// its end. An error holds what the command has said.
func output(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	text, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, text)
	}
	return strings.TrimSpace(string(text)), nil
}

// firstLine returns the line of an error that says most: the first one of a command's output
// that is no heading, or else the first one.
func firstLine(err error) string {
	lines := strings.Split(err.Error(), "\n")
	for _, l := range lines[1:] {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			return l
		}
	}
	return lines[0]
}
