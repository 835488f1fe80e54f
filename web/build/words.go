package main

import (
	"bytes"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/session/lesson"
)

// addWords adds, for each language, one file with the texts of all lessons, in which the page searches. Each line is
// a lesson: its name, a tab, and its text.
func addWords(files map[string][]byte) {
	words := map[string]*bytes.Buffer{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		folder, file := path.Split(name)
		if !isLesson(name) || file == path.Base(lesson.CourseURL("")) || file == lesson.FileName(lesson.Template) {
			continue
		}
		if words[folder] == nil {
			words[folder] = &bytes.Buffer{}
		}
		words[folder].WriteString(strings.TrimSuffix(file, lesson.FileName("")) + "\t" + textOf(string(files[name])) + "\n")
	}
	for folder, all := range words {
		files[folder+path.Base(lesson.WordsURL(""))] = all.Bytes()
	}
}

var (
	frontMatter = regexp.MustCompile(`(?s)^---\n.*?\n---\n`)
	fences      = regexp.MustCompile("(?m)^```.*$")
	links       = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	lineMarks   = regexp.MustCompile(`(?m)^(#+|>( \[!\w+\])?|-) ?`)
)

// textOf returns what a reader sees of a lesson, in one line.
func textOf(lesson string) string {
	text := frontMatter.ReplaceAllString(lesson, "")
	text = fences.ReplaceAllString(text, "")
	text = links.ReplaceAllString(text, "$1")
	text = lineMarks.ReplaceAllString(text, "")
	text = strings.NewReplacer("`", "", "**", "").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}
