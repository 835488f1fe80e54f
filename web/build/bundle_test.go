package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestABundleHasWhatItsScriptsImport(t *testing.T) {
	link := func(name, after string) string {
		return `<link rel="stylesheet" href="%VERSION%/style/` + name + `.css"` + after + ">\n"
	}
	files := map[string][]byte{
		"index.html":       []byte(link("tokens", "") + link("a", "") + link("b", "") + begins),
		"embed.html":       []byte(link("tokens", "") + link("embed", "") + link("a", " disabled") + link("b", " disabled")),
		"changes.html":     []byte(link("tokens", "") + link("b", "")),
		"style/tokens.css": []byte("t"), "style/embed.css": []byte("e"), "style/a.css": []byte("a"), "style/b.css": []byte("b"),
		"page/boot.js":      []byte(`import {once} from './site.js'; once('boot'); import('./picture.js');`),
		"page/early.js":     []byte(`console.log('early');`),
		"page/first.js":     []byte(`{ const own = 'first'; console.log(own); }`),
		"page/embed.js":     []byte(`import {once} from './site.js'; once('embed'); import('./boot.js');`),
		"page/picture.js":   []byte(`console.log('seldom');`),
		"page/site.js":      []byte(`export const once = (who) => console.log('once', who);`),
		"page/notes.js":     []byte(`console.log('notes');`),
		"page/changes.js":   []byte(`console.log('changes');`),
		"page/apiserver.js": []byte(`console.log('apiserver');`),
		"worker/engine.js":  []byte(`import '../program.js';`),
		"worker/reader.js":  []byte(`console.log('reader');`),
		"worker/digest.js":  []byte(`import '../program.js';`),
		"worker/convert.js": []byte(`import '../program.js';`),
		"worker/gif.js":     []byte(`console.log('gif');`),
		"program.js":        []byte(`import './wasm_exec.js'; console.log('program');`),
		"wasm_exec.js":      []byte(`console.log('glue');`),
		"sw.js":             []byte(`'offline'`),
	}
	if err := bundle(files); err != nil {
		t.Fatal(err)
	}
	where := func(text string) (all []string) {
		for name, content := range files {
			if strings.HasSuffix(name, ".js") && strings.Contains(string(content), text) {
				all = append(all, name)
			}
		}
		slices.Sort(all)
		return all
	}
	shared := where(`"once"`)
	if len(shared) != 1 || !strings.HasPrefix(shared[0], "page/shared-") {
		t.Fatalf("what boot.js and embed.js share is in %q", shared)
	}
	if want := link("tokens", "") + link("page", "") + begins + `<link rel="modulepreload" href="%VERSION%/` + shared[0] + `">` + "\n"; string(files["index.html"]) != want {
		t.Errorf("index.html has\n%s\nand not\n%s", files["index.html"], want)
	}
	if want := link("tokens", "") + link("embed", "") + link("page", " disabled"); string(files["embed.html"]) != want {
		t.Errorf("embed.html has\n%s\nand not\n%s", files["embed.html"], want)
	}
	if string(files["style/page.css"]) != "ab" || files["style/a.css"] != nil || files["style/b.css"] == nil {
		t.Errorf("page.css is %q, and there are %q", files["style/page.css"], slices.Sorted(maps.Keys(files)))
	}
	if got := where("glue"); !slices.Equal(got, []string{"worker/convert.js", "worker/digest.js", "worker/engine.js"}) {
		t.Errorf("the glue is in %q", got)
	}
	if got := string(files["page/first.js"]); strings.Contains(got, "import") || strings.Contains(got, "export") {
		t.Errorf("first.js, which is no module, is\n%s", got)
	}
	if got := where("seldom"); len(got) != 1 || got[0] == "page/boot.js" {
		t.Errorf("what is seldom needed is in %q", got)
	}
	if files["program.js"] != nil || files["page/site.js"] != nil || string(files["sw.js"]) != `'offline'` {
		t.Errorf("there are %q", slices.Sorted(maps.Keys(files)))
	}

	files["page/boot.js"] = []byte(`import './gone.js';`)
	if err := bundle(files); err == nil || !strings.Contains(err.Error(), "page/gone.js") {
		t.Errorf("an import that leads nowhere: %v", err)
	}
}
