package v037

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

var updateMends = flag.Bool("mends", false, "rewrite what the real client-go prints for the choices of the lessons' mends")

// hooks have for each lesson with a mend the function by which its scene in the package mend takes what was chosen.
var hooks = map[string]string{
	"tombstone":           "func Hook(q workqueue.TypedRateLimitingInterface[string]) cache.ResourceEventHandlerFuncs { queue = q; return Block }",
	"keys":                "func Hook() cache.KeyFunc { return keyOf }",
	"slow-handler":        "func Hook(q workqueue.TypedRateLimitingInterface[string], d func(context.Context, *corev1.Pod) error) cache.ResourceEventHandlerFuncs { queue, drive = q, d; return Block }",
	"hot-loop":            "func Hook(r func(context.Context, string) error) func(context.Context, workqueue.TypedRateLimitingInterface[string]) bool { reconcile = r; return work }",
	"mutation-detector":   "func Hook(get func(namespace, name string) (*corev1.Pod, error)) func() error { namespace, name, use, pods = \"default\", \"web\", func(*corev1.Pod) {}, lister(get); return Block }\n" + listerCode,
	"handlers-not-synced": "func Hook() func(context.Context, cache.SharedIndexInformer, cache.ResourceEventHandlerRegistration) bool { return ready }",
}

// listerCode makes a lister of a function.
const listerCode = `
type lister func(namespace, name string) (*corev1.Pod, error)

type inNamespace struct {
	get       lister
	namespace string
}

func (l lister) Pods(namespace string) interface{ Get(name string) (*corev1.Pod, error) } { return inNamespace{l, namespace} }

func (l inNamespace) Get(name string) (*corev1.Pod, error) { return l.get(l.namespace, name) }
`

// choice is what a reader may choose in a mend: a line of script, and Go around and in it.
type choice struct {
	line                string
	before, code, after []string
}

// choicesOf reads the lines of a mend.
func choicesOf(lines []string) (all []choice) {
	var before, after []string
	for _, line := range lines {
		switch mark, rest, _ := strings.Cut(line, " "); mark {
		case "-":
			all = append(all, choice{line: rest})
		case "+":
			all[len(all)-1].code = append(all[len(all)-1].code, rest)
		case "|":
			if all == nil {
				before = append(before, rest)
			} else {
				after = append(after, rest)
			}
		}
	}
	for i := range all {
		all[i].before, all[i].after = before, after
	}
	return all
}

// TestLessonMends runs each choice of each mend of the lessons with this version of client-go.
// What it prints must be what engine/script/lesson/testdata/mended.txt has, which the engine is held to. With -mends that file
// is rewritten.
func TestLessonMends(t *testing.T) {
	b := live.NewOverlay(t)
	type run struct {
		lesson, line, folder, printed string
	}
	var runs []*run
	blocks := live.Lessons(t, "mend")
	for _, at := range slices.Sorted(maps.Keys(blocks)) {
		lesson, _, _ := strings.Cut(at, ".md")
		for k, c := range choicesOf(blocks[at]) {
			folder := strings.ReplaceAll(lesson, "-", "") + strconv.Itoa(k)
			block := strings.Join(slices.Concat(c.before, c.code, c.after), "\n")
			b.Add(folder, program(folder, block, "Block", hooks[lesson]))
			runs = append(runs, &run{lesson: lesson, line: c.line, folder: folder})
		}
	}
	main := "package mended\n\nimport (\n\t\"os\"\n\t\"testing\"\n\n\t\"github.com/informerscope/informerscope/engine/conformance/live/mend\"\n"
	for _, r := range runs {
		main += "\t\"" + b.Path + r.folder + "\"\n"
	}
	main += ")\n\nfunc TestMended(t *testing.T) {\n\tmend.Run(t, os.Getenv(\"LESSON\"), map[string]any{\n"
	for _, r := range runs {
		main += "\t\t\"" + r.folder + "\": " + r.folder + ".Hook,\n"
	}
	b.AddFile("mended", "mended_test.go", main+"\t}[os.Getenv(\"CHOICE\")])\n}\n")
	bin := filepath.Join(t.TempDir(), "mended")
	b.Build(t, "test", []string{"-c", "-vet=off", "-o", bin}, "mended")

	var all sync.WaitGroup
	for _, r := range runs {
		all.Go(func() {
			cmd := exec.Command(bin)
			cmd.Env = append(os.Environ(), "LESSON="+r.lesson, "CHOICE="+r.folder, "KUBE_FEATURE_WatchListClient=false", "KUBE_CACHE_MUTATION_DETECTOR="+strconv.FormatBool(r.lesson == "mutation-detector"))
			var out, failed bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &failed
			err := cmd.Run()
			for line := range strings.Lines(out.String()) {
				if verb, _, _ := strings.Cut(line, " "); verb == "expect" || verb == "advance" || verb == "work" {
					r.printed += line
				}
			}
			if _, panicked, is := strings.Cut(failed.String(), "panic: "); is && err != nil {
				why, _, _ := strings.Cut(panicked, "\n")
				why, _, _ = strings.Cut(why, " [recovered")
				r.printed += "panic: " + why + "\n"
			} else if err != nil {
				r.printed += err.Error() + failed.String()
			}
		})
	}
	all.Wait()

	got := "# What the real client-go prints for each choice of the lessons' mends, in the version of the newest profile. After the name of a\n" +
		"# lesson stands for each choice its line, and what was printed: lines of script that the engine must agree with, and with which\n" +
		"# words the process panicked, if it did. The module engine/conformance/live/v037 rewrites it: go test -run LessonMends -mends\n"
	last := ""
	for _, r := range runs {
		if r.lesson != last {
			got += "\n" + r.lesson + "\n"
		}
		last = r.lesson
		got += "- " + r.line + "\n" + r.printed
	}
	name := filepath.Join(proof.Top(t), "engine/script/lesson/testdata/mended.txt")
	if *updateMends {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || string(want) != got {
		t.Errorf("client-go prints\n%s\nand mended.txt has\n%s\n%v", got, want, err)
	}
}
