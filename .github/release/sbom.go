package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// document is an SPDX 2.3 document, as far as there is something to say.
type document struct {
	Version       string         `json:"spdxVersion"`
	License       string         `json:"dataLicense"`
	ID            string         `json:"SPDXID"`
	Name          string         `json:"name"`
	Namespace     string         `json:"documentNamespace"`
	Creation      creation       `json:"creationInfo"`
	Packages      []spdxPackage  `json:"packages"`
	Files         []file         `json:"files,omitempty"`
	Relationships []relationship `json:"relationships"`
}

type creation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type spdxPackage struct {
	ID        string      `json:"SPDXID"`
	Name      string      `json:"name"`
	Version   string      `json:"versionInfo,omitempty"`
	Location  string      `json:"downloadLocation"`
	Analyzed  bool        `json:"filesAnalyzed"`
	License   string      `json:"licenseConcluded"`
	Declared  string      `json:"licenseDeclared"`
	Copyright string      `json:"copyrightText"`
	Checksums []checksum  `json:"checksums,omitempty"`
	Refs      []reference `json:"externalRefs,omitempty"`
}

type file struct {
	ID        string     `json:"SPDXID"`
	Name      string     `json:"fileName"`
	License   string     `json:"licenseConcluded"`
	Copyright string     `json:"copyrightText"`
	Checksums []checksum `json:"checksums"`
}

type checksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type reference struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type relationship struct {
	Of   string `json:"spdxElementId"`
	Type string `json:"relationshipType"`
	To   string `json:"relatedSpdxElement"`
}

// site is where the page lies from which a program was built, seen from this folder.
const site = "../../replay/serve/page/site"

const unknown = "NOASSERTION"

// sbom says what is in a program: its modules, as the linker has noted them, and the files of the
// page, which it carries if it was built with the tag withpage. The same program has the same
// list, whenever it is made.
func sbom(program, version string) ([]byte, error) {
	raw, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.Read(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	created := set["vcs.time"]
	if created == "" {
		created = "1970-01-01T00:00:00Z" // nobody knows
	}
	sum := sha256.Sum256(raw)
	name := "informerscope-" + version + "-" + set["GOOS"] + "-" + set["GOARCH"]
	d := &document{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: name,
		Namespace: "https://" + info.Main.Path + "/releases/" + name + "-" + hex.EncodeToString(sum[:8]),
		Creation:  creation{created, []string{"Tool: informerscope-release"}},
	}
	main := d.module(info.Main.Path, version, "Apache-2.0")
	main.Checksums = []checksum{{"SHA256", hex.EncodeToString(sum[:])}}
	d.Relationships = append(d.Relationships, relationship{d.ID, "DESCRIBES", main.ID})
	top := main.ID
	d.module("stdlib", strings.TrimPrefix(info.GoVersion, "go"), unknown)
	for _, m := range info.Deps {
		d.module(effective(m).Path, effective(m).Version, unknown)
	}
	for _, p := range d.Packages[1:] {
		d.Relationships = append(d.Relationships, relationship{top, "CONTAINS", p.ID})
	}
	if strings.Contains(set["-tags"], "withpage") {
		if err := d.page(top, os.DirFS(site)); err != nil {
			return nil, err
		}
	}
	b, err := json.MarshalIndent(d, "", "  ")
	return append(b, '\n'), err
}

func effective(m *debug.Module) *debug.Module {
	if m.Replace != nil {
		return m.Replace
	}
	return m
}

// module adds a Go module.
func (d *document) module(path, version, license string) *spdxPackage {
	d.Packages = append(d.Packages, spdxPackage{
		ID: id("Package", path), Name: path, Version: version, Location: unknown, License: license, Declared: license, Copyright: unknown,
		Refs: []reference{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + path + "@" + version}},
	})
	return &d.Packages[len(d.Packages)-1]
}

// page adds the files of the page.
func (d *document) page(path string, files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(b)
		f := file{id("File", name), "./page/" + filepath.ToSlash(name), "Apache-2.0", unknown, []checksum{{"SHA256", hex.EncodeToString(sum[:])}}}
		d.Files = append(d.Files, f)
		d.Relationships = append(d.Relationships, relationship{path, "CONTAINS", f.ID})
		return nil
	})
}

// id returns an identifier of a name: SPDX takes letters, digits, "." and "-".
func id(kind, name string) string {
	clean := strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
			return r
		}
		return '-'
	}, name)
	sum := sha256.Sum256([]byte(name))
	return "SPDXRef-" + kind + "-" + clean + "-" + hex.EncodeToString(sum[:3])
}
