package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/lesson"
)

// A page that loads fifty small files spends as long on asking for them as on reading them. So the scripts and
// stylesheets of web/ are bundled: of each script that a document or a worker begins with, one file is made.

// onPage are the scripts that index.html and embed.html begin with. What the page seldom needs, such as taking
// pictures, is a file of its own, and so is what two of them share: a module runs once in a document. "informerscope open --picture"
// asks for page/picture.js by its name.
var onPage = []string{"page/early.js", "page/boot.js", "page/embed.js", "page/picture.js"}

// apart are the scripts that workers and other documents begin with.
var apart = []string{"page/first.js", "page/notes.js", "page/changes.js", "page/apiserver.js", "worker/engine.js", "worker/reader.js", "worker/digest.js", "worker/convert.js", "worker/gif.js"}

// shared names what several scripts of the page share. It lies beside them: see folder in page/site.js.
const shared = "page/shared-[hash]"

// bundled is the stylesheet of the page, made of those that index.html lists.
const bundled = "style/page.css"

// bundle replaces the scripts and stylesheets in files with bundles, and the lists of them in the documents.
func bundle(files map[string][]byte) error {
	made := map[string][]byte{}
	needed, err := scripts(files, onPage, true, made)
	if err != nil {
		return err
	}
	for _, name := range apart {
		if _, err := scripts(files, []string{name}, false, made); err != nil {
			return err
		}
	}
	for name := range files {
		if dir := path.Dir(name); path.Ext(name) == ".js" && (dir == "page" || dir == "worker") || name == "program.js" || name == glue {
			delete(files, name)
		}
	}
	for name, content := range made {
		files[name] = content
	}
	if err := preload(files, needed["page/boot.js"]); err != nil {
		return err
	}
	return stylesheets(files)
}

// scripts bundles the scripts that begin with entries, adds the bundles to made, and returns which other bundles
// each of them imports at once.
func scripts(files map[string][]byte, entries []string, split bool, made map[string][]byte) (map[string][]string, error) {
	var points []api.EntryPoint
	for _, name := range entries {
		points = append(points, api.EntryPoint{InputPath: name, OutputPath: strings.TrimSuffix(name, ".js")})
	}
	got := api.Build(api.BuildOptions{
		EntryPointsAdvanced: points,
		Bundle:              true,
		Splitting:           split,
		ChunkNames:          shared,
		Format:              api.FormatESModule,
		Target:              api.ESNext,
		Charset:             api.CharsetUTF8,
		Outdir:              "/",
		Plugins:             []api.Plugin{readFiles(files)},
	})
	var all []error
	for _, m := range slices.Concat(got.Errors, got.Warnings) {
		all = append(all, fmt.Errorf("bundling %s: %s", strings.Join(entries, ", "), m.Text))
	}
	for _, f := range got.OutputFiles {
		made[strings.TrimPrefix(f.Path, "/")] = f.Contents
	}
	return imports(made), errors.Join(all...)
}

// static matches an import that a bundle does before it runs. Bundles have no other text that begins a line so.
var static = regexp.MustCompile(`(?m)^(?:import|\} from) ?"(\./[^"]+)";$`)

// imports returns the bundles that each bundle imports at once, itself left out, with those that these import.
func imports(made map[string][]byte) map[string][]string {
	all := map[string][]string{}
	for name := range made {
		todo := []string{name}
		for len(todo) > 0 {
			for _, m := range static.FindAllSubmatch(made[todo[0]], -1) {
				if file := path.Join(path.Dir(todo[0]), string(m[1])); !slices.Contains(all[name], file) {
					all[name] = append(all[name], file)
					todo = append(todo, file)
				}
			}
			todo = todo[1:]
		}
		slices.Sort(all[name])
	}
	return all
}

// readFiles lets esbuild read the files that were read already, by their paths in web/.
func readFiles(files map[string][]byte) api.Plugin {
	return api.Plugin{Name: "web", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			name := a.Path
			if a.Importer != "" {
				name = path.Join(path.Dir(a.Importer), a.Path)
			}
			if files[strings.TrimPrefix(name, "/")] == nil {
				return api.OnResolveResult{}, fmt.Errorf("no file %s", name)
			}
			return api.OnResolveResult{Path: "/" + strings.TrimPrefix(name, "/"), Namespace: "web"}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "web"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			text := string(files[strings.TrimPrefix(a.Path, "/")])
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
		})
	}}
}

// begins is the line with which index.html begins the page's script.
const begins = `<script type="module" src="%VERSION%/page/boot.js"></script>` + "\n"

// preload makes the browser ask at once for what page/boot.js imports.
func preload(files map[string][]byte, needed []string) error {
	lines := begins
	for _, name := range needed {
		lines += fmt.Sprintf(`<link rel="modulepreload" href="%%VERSION%%/%s">`+"\n", name)
	}
	if bytes.Count(files["index.html"], []byte(begins)) != 1 {
		return fmt.Errorf("index.html has not one line %s", begins)
	}
	files["index.html"] = bytes.Replace(files["index.html"], []byte(begins), []byte(lines), 1)
	return nil
}

// sheet matches a line of a document that links a stylesheet which a frame needs only when it is started.
var sheet = regexp.MustCompile(`(?m)^<link rel="stylesheet" href="%VERSION%/(style/[a-z]+\.css)"( disabled)?>\n`)

// stylesheets joins the stylesheets that index.html lists, without the first, which other documents have alone.
func stylesheets(files map[string][]byte) error {
	var all []string
	var text bytes.Buffer
	for _, m := range sheet.FindAllSubmatch(files["index.html"], -1)[1:] {
		name := string(m[1])
		all = append(all, name)
		text.Write(files[name])
	}
	files[bundled] = text.Bytes()
	for _, document := range []string{"index.html", "embed.html"} {
		found := 0
		files[document] = sheet.ReplaceAllFunc(files[document], func(line []byte) []byte {
			name := string(sheet.FindSubmatch(line)[1])
			if !slices.Contains(all, name) {
				return line
			}
			if found++; found > 1 {
				return nil
			}
			return bytes.Replace(line, []byte(name), []byte(bundled), 1)
		})
		if found != len(all) {
			return fmt.Errorf("%s has %d of the %d stylesheets of the page", document, found, len(all))
		}
	}
	for _, name := range all {
		if !linked(files, name) {
			delete(files, name)
		}
	}
	return nil
}

// linked reports whether a document links a stylesheet by itself.
func linked(files map[string][]byte, name string) bool {
	for document, text := range files {
		if path.Ext(document) == ".html" && bytes.Contains(text, []byte(name)) {
			return true
		}
	}
	return false
}

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

// placeholder is a text of the catalogues in a document.
var placeholder = regexp.MustCompile(`\{\{([\w.]+)\}\}`)

// fillIn puts the texts of the catalogues into a document, in each language.
func fillIn(files map[string][]byte, document string) (err error) {
	words := make([]map[string]string, len(session.Languages))
	for i, l := range session.Languages {
		if err := json.Unmarshal(files["locales/"+l.Code+".json"], &words[i]); err != nil {
			return err
		}
	}
	files[document] = placeholder.ReplaceAllFunc(files[document], func(id []byte) (all []byte) {
		for i, l := range session.Languages {
			text := words[i][string(placeholder.FindSubmatch(id)[1])]
			if text == "" {
				err = fmt.Errorf("%s: no text %s in %s", document, id, l.Code)
			}
			all = fmt.Appendf(all, `<span lang="%s">%s</span>`, l.Code, html.EscapeString(text))
		}
		return all
	})
	return err
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
