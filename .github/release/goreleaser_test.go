package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

// goreleaser reads its configuration, which has no field that it doesn't know, and every file that
// goes into archives and packages is there once make manuals has made them.
func TestGoreleaserReadsItsConfiguration(t *testing.T) {
	p, err := config.Load("goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	there := func(source string) {
		t.Helper()
		if found, err := filepath.Glob(filepath.Join("../..", source)); err != nil || len(found) == 0 {
			t.Errorf("%s is missing: %v (make manuals makes man pages and completions)", source, err)
		}
	}
	if len(p.Builds) != 1 || len(p.Archives) != 1 || len(p.NFPMs) != 1 || len(p.Casks)+len(p.Krews)+len(p.Scoops) != 3 || len(p.SBOMs) != 1 || len(p.Signs) != 1 {
		t.Fatalf("it has %d builds, %d archives, %d packages", len(p.Builds), len(p.Archives), len(p.NFPMs))
	}
	b := p.Builds[0]
	there(b.Main)
	if !strings.Contains(strings.Join(b.Tags, " "), "withpage") || !strings.Contains(strings.Join(b.Flags, " "), "-trimpath") || strings.Join(b.Env, " ") != "CGO_ENABLED=0" || len(b.Goos)*len(b.Goarch) != 6 {
		t.Errorf("it builds %+v", b)
	}
	for _, f := range p.Archives[0].Files {
		there(f.Source)
		if f.Info.MTime != "{{ .CommitDate }}" {
			t.Errorf("%s has a time of its own, so two archives differ", f.Source)
		}
	}
	for _, f := range p.NFPMs[0].Contents {
		there(f.Source)
	}
	// The cask installs each man page, and the completions, from where the archive has them.
	var pages []string
	made, _ := filepath.Glob("../../build/release/manuals/man/*.1")
	for _, page := range made {
		pages = append(pages, "man/"+filepath.Base(page))
	}
	if cask := p.Casks[0]; !slices.Equal(cask.Manpages, pages) {
		t.Errorf("the cask has the man pages %s, and there are %s", cask.Manpages, pages)
	} else {
		for _, file := range []string{cask.Completions.Bash, cask.Completions.Zsh, cask.Completions.Fish} {
			there(filepath.Join("build/release/manuals", file))
		}
	}
	if len(p.Brews) > 0 {
		t.Error("it has a formula, which goreleaser will not make much longer")
	}
	// The program for the bill of materials, as goreleaser runs it in its own folder.
	args := strings.Join(p.SBOMs[0].Args, " ")
	if !strings.HasPrefix(args, "run -C ../../../.github/release . sbom ") || p.Dist != "build/release/dist" {
		t.Errorf("it runs go %s in %s", args, p.Dist)
	}
}
