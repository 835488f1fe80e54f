package v037

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// namesIn are the folders whose identifiers lessons may name, in the first and in the last
// version that there is a profile for. Fields of the API's types are among the fields of
// meta/v1.
var namesIn = []struct {
	module, version string
	folders         []string
}{
	{"k8s.io/client-go", "v0.22.17", []string{"tools/cache", "util/workqueue", "rest", "informers"}},
	{"k8s.io/client-go", "v0.37.2", []string{"tools/cache", "util/workqueue", "rest", "informers", "features", "testing"}},
	{"k8s.io/apimachinery", "v0.22.17", []string{"pkg/watch", "pkg/util", "pkg/api", "pkg/apis/meta/v1", "pkg/labels"}},
	{"k8s.io/apimachinery", "v0.37.2", []string{"pkg/watch", "pkg/util", "pkg/api", "pkg/apis/meta/v1", "pkg/labels"}},
	{"sigs.k8s.io/controller-runtime", "v0.25.2", []string{"pkg/builder", "pkg/controller", "pkg/client", "pkg/cache"}},
}

// notClientGos are names of kubelets, of objects and of metrics, which client-go doesn't know. Those of metrics
// are among the lessons' facts.
var notClientGos = map[string]bool{
	"ErrImagePull": true, "ImagePullBackOff": true,
	"informer_queued_items": true, "informer_processing_latency_seconds": true, "informer_store_resource_version": true,
}

var (
	target   = regexp.MustCompile(`\]\([^)]*\)`)
	comment  = regexp.MustCompile(`(?s)<!--.*?-->`)
	codeSpan = regexp.MustCompile("`([^`]*)`")
	oneName  = regexp.MustCompile(`^\.?([A-Za-z_]\w*\.)?([A-Za-z]\w*)(\(\))?$`)
	camel    = regexp.MustCompile(`\b(?:[A-Z][a-z]+|[a-z]+)(?:[A-Z]\w*)+\b`)
)

// TestLessonNames checks that each name that lessons have in their prose is one of client-go's
// identifiers, or stands in a block of the lesson.
func TestLessonNames(t *testing.T) {
	known := identifiers(t)
	files, err := filepath.Glob(filepath.Join(proof.Top(t), "web/lessons/*/*.md"))
	if err != nil || len(files) == 0 {
		t.Fatal("no lessons", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		prose, blocks := "", ""
		for i, part := range strings.Split("\n"+string(text), "\n```") {
			if i%2 == 0 {
				prose += part
			} else {
				blocks += part
			}
		}
		prose = comment.ReplaceAllString(target.ReplaceAllString(prose, "]"), "")
		var names []string
		for _, span := range codeSpan.FindAllStringSubmatch(prose, -1) {
			if m := oneName.FindStringSubmatch(span[1]); m != nil {
				names = append(names, m[2])
			}
		}
		names = append(names, camel.FindAllString(codeSpan.ReplaceAllString(prose, " "), -1)...)
		for _, name := range names {
			singular := strings.TrimSuffix(name, "s")
			if !known[name] && !known[singular] && !notClientGos[name] && !strings.Contains(blocks, name) {
				t.Errorf("%s: client-go has no %s", filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), name)
			}
		}
	}
}

// identifiers are the names in the folders of namesIn.
func identifiers(t *testing.T) map[string]bool {
	t.Helper()
	var wanted []source
	for _, in := range namesIn {
		wanted = append(wanted, source{module: in.module, version: in.version})
	}
	at, known := download(t, wanted), map[string]bool{}
	read := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var s scanner.Scanner
		set := token.NewFileSet()
		s.Init(set.AddFile(path, set.Base(), len(text)), text, nil, 0)
		for {
			_, tok, lit := s.Scan()
			switch tok {
			case token.EOF:
				return nil
			case token.IDENT:
				known[lit] = true
			}
		}
	}
	for _, in := range namesIn {
		for _, folder := range in.folders {
			if err := filepath.WalkDir(filepath.Join(at[in.module+"@"+in.version], folder), read); err != nil {
				t.Fatal(err)
			}
		}
	}
	return known
}
