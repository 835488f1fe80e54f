package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// measure is a benchmark that is played in both trees.
type measure struct {
	name  string
	pkg   string // its folder, from the top
	was   string // the folder that it had before, if it has moved
	bench string // the regular expression of its name
	times string // how often it is played for one figure
	count string // how many figures there are in a turn; the best one counts
	usual bool   // it is measured if nothing else is chosen
	// harness: all files of the package drive the engine, its test files and the others.
	harness bool
	page    bool // it opens the built page, and belongs to web/test
}

var measures = []measure{
	{name: "engine", pkg: "engine/conformance/bench", bench: "^BenchmarkEngine$", times: "1x", count: "3", usual: true, harness: true},
	{name: "seek", pkg: "engine/history", was: "engine/world", bench: "^BenchmarkSeek$", times: "100x", count: "2", usual: true},
	{name: "clone", pkg: "engine/history", was: "engine/world", bench: "^BenchmarkClone$", times: "200x", count: "3", usual: true},
	{name: "explore", pkg: "engine/explore", was: "engine/world", bench: "^BenchmarkExplore$", times: "1x", count: "2", usual: true},
	{name: "start", pkg: "web/test", bench: "^BenchmarkStart$", times: "1x", count: "1", usual: true, page: true},

	{name: "history", pkg: "engine/history", was: "engine/world", bench: "^BenchmarkHistory$", times: "1x", count: "3"},
	{name: "branch", pkg: "engine/history", was: "engine/world", bench: "^BenchmarkBranch$", times: "50x", count: "2"},
	{name: "search", pkg: "engine/ask", bench: "^BenchmarkSearch$", times: "1x", count: "2"},
	{name: "queue", pkg: "engine/fifo", bench: "^BenchmarkQueue$", times: "1s", count: "2"},
	{name: "index", pkg: "engine/indexer", bench: "^Benchmark(Update|CopyFrom)$", times: "1s", count: "2"},
	{name: "read", pkg: "replay/format", bench: "^BenchmarkRead$", times: "1s", count: "2"},
	{name: "serve", pkg: "replay/serve", bench: "^BenchmarkEvent", times: "1x", count: "1"},
	{name: "record", pkg: "replay/record", bench: "^BenchmarkOverhead$", times: "1x", count: "1"},
	{name: "report", pkg: "replay/cmd/informerscope/internal/reportcmd", bench: "^BenchmarkReport(Beside)?$", times: "1x", count: "1"},
	{name: "page", pkg: "web/test", bench: "^BenchmarkPage$", times: "1x", count: "1", page: true},
	{name: "formats", pkg: "web/test", bench: "^BenchmarkFormats$", times: "1x", count: "1", page: true},
	{name: "firefox", pkg: "web/test", bench: "^BenchmarkFirefoxFrames$", times: "1x", count: "1", page: true},
}

// usual returns the names of the measures that are taken if nothing else is chosen.
func usual() (names []string) {
	for _, m := range measures {
		if m.usual {
			names = append(names, m.name)
		}
	}
	return names
}

func choose(names string) (chosen []measure, err error) {
	all, want := names == "all", strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' })
	if names == "" {
		want = usual()
	}
	for _, m := range measures {
		if i := slices.Index(want, m.name); i >= 0 || all {
			chosen = append(chosen, m)
			want = slices.DeleteFunc(want, func(n string) bool { return n == m.name })
		}
	}
	if len(want) > 0 && !all {
		return nil, fmt.Errorf("no measure %s", strings.Join(want, ", "))
	}
	return chosen, nil
}

// tree is a commit's files, and where what is built of them lies.
type tree struct{ dir, built string }

// built is a measure that can be played.
type built struct {
	measure
	mark               string // " (own)" if the other commit is driven by its own harness
	oursRun, theirsRun command
	failed             error // it could not be played to the end
}

// command plays the benchmark of one tree.
type command struct {
	dir, program string
	args         []string
}

// build makes a measure's programs.
func (m measure) build(here, other tree) (b built, err error) {
	b.measure = m
	if m.page {
		return b, m.buildPages(&b, here, other)
	}
	if b.oursRun, err = m.compile(here, ""); err != nil {
		return b, err
	}
	overlay, err := m.overlay(here, other)
	if err != nil {
		return b, err
	}
	if b.theirsRun, err = m.compile(other, overlay); err != nil {
		b.mark = " (own)"
		b.theirsRun, err = m.compile(other, "")
	}
	return b, err
}

// compile compiles the tests of the measure's package.
func (m measure) compile(t tree, overlay string) (command, error) {
	program := filepath.Join(t.built, m.name+".test")
	args := []string{"test", "-trimpath", "-c", "-o", program}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	pkg := m.folder(t)
	dir := filepath.Join(t.dir, pkg)
	if _, err := output(t.dir, "go", append(args, "./"+pkg)...); err != nil {
		return command{}, err
	}
	c := command{dir: dir, program: program, args: []string{"-test.cpu=1"}}
	names, err := output(dir, program, "-test.list", m.bench)
	if err == nil && names == "" {
		err = fmt.Errorf("there is no %s in %s", strings.Trim(m.bench, "^$"), pkg)
	}
	return c, err
}

// folder returns the folder of the measure's package in a tree.
func (m measure) folder(t tree) string {
	if _, err := os.Stat(filepath.Join(t.dir, m.pkg)); err != nil && m.was != "" {
		return m.was
	}
	return m.pkg
}

// overlay makes the compiler read this tree's harness in the place of the other tree's. It
// returns the file for the go command's -overlay flag.
func (m measure) overlay(here, other tree) (file string, err error) {
	pattern := "*_test.go"
	if m.harness {
		pattern = "*.go"
	}
	replace := map[string]string{}
	for _, t := range []tree{other, here} {
		files, err := filepath.Glob(filepath.Join(t.dir, m.folder(t), pattern))
		if err != nil {
			return "", err
		}
		for _, f := range files {
			to := f
			if t == other {
				to = "" // unless this tree has one of that name
			}
			replace[filepath.Join(other.dir, m.folder(other), filepath.Base(f))] = to
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(other.built, 0o755); err != nil {
		return "", err
	}
	file = filepath.Join(other.built, m.name+".json")
	return file, os.WriteFile(file, text, 0o644)
}

// buildPages builds both pages, once for all measures, and the tests that open them.
func (m measure) buildPages(b *built, here, other tree) error {
	program := filepath.Join(here.built, "page.test")
	if _, err := output(filepath.Join(here.dir, m.pkg), "go", "test", "-c", "-o", program, "."); err != nil {
		return err
	}
	for t, c := range map[tree]*command{here: &b.oursRun, other: &b.theirsRun} {
		dist := filepath.Join(t.built, "dist")
		if _, err := os.Stat(dist); err != nil || !pages[t] {
			if _, err := output(t.dir, "go", "run", "./web/build", "-out", dist); err != nil {
				return err
			}
			pages[t] = true
		}
		*c = command{dir: filepath.Join(here.dir, m.pkg), program: program, args: []string{"-dist=" + dist}}
	}
	return nil
}

// pages are the trees whose page this process has built.
var pages = map[tree]bool{}

// play takes one turn, and returns the figures of both trees.
func (b *built) play(first bool) (now, old figures, err error) {
	play := func(c command) figures {
		if err != nil {
			return nil
		}
		var text string
		text, err = output(c.dir, c.program, append([]string{"-test.run=^$", "-test.bench=" + b.bench, "-test.benchtime=" + b.times, "-test.count=" + b.count}, c.args...)...)
		return read(text)
	}
	if first {
		now = play(b.oursRun)
	}
	old = play(b.theirsRun)
	if !first {
		now = play(b.oursRun)
	}
	if err == nil && len(now) == 0 {
		err = fmt.Errorf("%s says nothing", b.bench)
	}
	return now, old, err
}
