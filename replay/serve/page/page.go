// Package page is the page inside the program. A program that is built with the tag
// "withpage" carries what "make dist" has made; "make binary" builds one. Any other, such as
// one that "go install" has built, carries none.
package page

import (
	"io/fs"
	"strings"
)

// Site returns the files of the page, in the form that serve.Embedded takes, and the version
// of the page. ok is false if the program carries none.
func Site() (files fs.FS, version string, ok bool) {
	files, ok = site()
	if !ok {
		return nil, "", false
	}
	return files, versionOf(files), true
}

// versionOf returns the name of the only folder at the root of a site, which is a hash of all
// its files.
func versionOf(site fs.FS) string {
	entries, _ := fs.ReadDir(site, ".") // a site without a root has no version
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			return e.Name()
		}
	}
	return ""
}
