//go:build js && wasm

package dom

import (
	"sort"
	"strings"

	"github.com/hack-pad/safejs"
)

// mostFiles is how many files are taken from folders that are dropped.
const mostFiles = 100_000

// folders gathers the files in folders that were dropped. The browser hands them out
// bit by bit, each in a callback.
type folders struct {
	p       *Page
	name    string // of the first
	waiting int    // callbacks that are still to come
	files   []folderFile
}

type folderFile struct {
	path string
	file safejs.Value
}

// drop keeps what was dropped: files, or all that is in folders.
func (p *Page) drop(transfer safejs.Value) {
	items := get(transfer, "items")
	var entries []safejs.Value
	folder := false
	for i := range integer(get(items, "length")) {
		// Only now, and not in a callback, can they be asked for.
		if item := index(items, i); text(get(item, "kind")) == "file" {
			entry := call(item, "webkitGetAsEntry")
			if truthy(entry) {
				entries = append(entries, entry)
				folder = folder || truthy(get(entry, "isDirectory"))
			}
		}
	}
	if !folder {
		p.take(get(transfer, "files"))
		return
	}
	f := &folders{p: p, name: text(get(entries[0], "name")), waiting: 1}
	for _, e := range entries {
		f.walk(e)
	}
	f.arrived()
}

// walk adds what an entry holds. Hidden files are left out.
func (f *folders) walk(entry safejs.Value) {
	switch {
	case strings.HasPrefix(text(get(entry, "name")), "."), len(f.files) >= mostFiles:
	case truthy(get(entry, "isDirectory")):
		f.read(call(entry, "createReader"))
	default:
		path := strings.TrimPrefix(text(get(entry, "fullPath")), "/")
		f.ask(entry, "file", func(file safejs.Value) { f.files = append(f.files, folderFile{path, file}) })
	}
}

// read walks a folder's entries. The browser gives some at a time.
func (f *folders) read(reader safejs.Value) {
	f.ask(reader, "readEntries", func(entries safejs.Value) {
		n := integer(get(entries, "length"))
		for i := range n {
			f.walk(index(entries, i))
		}
		if n > 0 {
			f.read(reader)
		}
	})
}

// ask calls a method that takes two callbacks: one for its answer, and one for its failure.
func (f *folders) ask(value safejs.Value, method string, then func(safejs.Value)) {
	f.waiting++
	var done, failed safejs.Func
	release := func() {
		done.Release()
		failed.Release()
		f.arrived()
	}
	done = function(func(args []safejs.Value) any {
		then(args[0])
		release()
		return nil
	})
	failed = function(func([]safejs.Value) any {
		release()
		return nil
	})
	call(value, method, done.Value(), failed.Value())
}

// arrived takes note of a callback that came, and keeps the files after the last.
func (f *folders) arrived() {
	if f.waiting--; f.waiting > 0 {
		return
	}
	sort.Slice(f.files, func(i, j int) bool { return f.files[i].path < f.files[j].path })
	var all []any
	var size int64
	for _, x := range f.files {
		// The path is its name, by which the converting program knows what came from a folder.
		all = append(all, construct(f.p.window, "File", []any{x.file}, x.path))
		size += int64(float(get(x.file, "size")))
	}
	if len(all) == 0 {
		all = []any{construct(f.p.window, "Blob", []any{})} // so that the page says that the folder is empty
	}
	f.p.keep(all, f.name, size)
}
