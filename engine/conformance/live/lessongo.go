package live

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// LessonCode compiles the Go of the lessons with the version of client-go that the
// calling test's module has. Each block is a package of its own: its declarations
// or its fields of ResourceEventHandlerFuncs or its statements. What it takes for
// granted is declared around it.
func LessonCode(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	overlay := map[string]string{}
	add := func(folder, text string) {
		name := filepath.Join(out, folder+".go")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(dir, "lessons", folder, folder+".go")] = name
	}
	module, err := exec.Command("go", "list", "-m").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimSpace(string(module)) + "/lessons/"
	add("corev1", objects)
	for at, lines := range lessons(t, "go") {
		name := strings.NewReplacer(".md:", "", "-", "").Replace(at)
		add(name, program(name, path, strings.Join(lines, "\n")))
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(out, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"build", "-overlay", file}
	for folder := range overlay {
		args = append(args, path+filepath.Base(filepath.Dir(folder)))
	}
	if text, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// objects stands in for the packages of the API's types, which would take longer
// to compile than all else.
const objects = `package corev1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Pod struct{ metav1.ObjectMeta }

func (p *Pod) DeepCopy() *Pod { return p }

type Deployment struct {
	metav1.ObjectMeta
	Spec struct{ Paused bool }
}

func (d *Deployment) DeepCopy() *Deployment { return d }
`

// granted is what a block may use without declaring it.
var granted = []string{
	"informer cache.SharedIndexInformer", "handler cache.ResourceEventHandler", "queue workqueue.TypedRateLimitingInterface[string]",
	"ctx context.Context", "namespace, name string", "use func(*corev1.Pod)", "release func(*corev1.Pod)", "enqueue func(any)",
	"forget func(namespace, name string)", "reconcile func(context.Context, string) error", "cleanUp func(ctx context.Context, namespace, name string) error",
	"drive func(context.Context, *corev1.Pod) error", "runWorker func(context.Context)",
	"pods interface{ Pods(namespace string) interface{ Get(name string) (*corev1.Pod, error) } }",
	"deployments interface{ Deployments(namespace string) interface{ Get(name string) (*corev1.Deployment, error) } }",
	"client interface{ AppsV1() interface{ Deployments(namespace string) interface{ Update(context.Context, *corev1.Deployment, metav1.UpdateOptions) (*corev1.Deployment, error) } } }",
	"factory interface { Core() interface{ V1() interface{ Pods() interface{ Informer() cache.SharedIndexInformer } } }; Start(<-chan struct{}); Shutdown(); WaitForCacheSync(<-chan struct{}) map[reflect.Type]bool }",
}

var imports = map[string]string{
	"apierrors": "k8s.io/apimachinery/pkg/api/errors", "metav1": "k8s.io/apimachinery/pkg/apis/meta/v1", "wait": "k8s.io/apimachinery/pkg/util/wait",
	"cache": "k8s.io/client-go/tools/cache", "workqueue": "k8s.io/client-go/util/workqueue", "context": "context", "fmt": "fmt", "reflect": "reflect", "time": "time",
}

var selector = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.[A-Z]`)

// program makes a file of a block.
func program(name, path, block string) string {
	body := block
	switch {
	case strings.HasPrefix(block, "func "):
	case regexp.MustCompile(`^[A-Z]\w*Func: `).MatchString(block):
		body = "var _ = cache.ResourceEventHandlerFuncs{\n" + block + "\n}"
	default:
		body = "func _() error {\n" + block + "\nreturn nil\n}"
	}
	for _, g := range granted {
		if first, _, _ := strings.Cut(g, " "); !strings.Contains(block, "func "+first+"(") {
			body = "var " + g + "\n" + body
		}
	}
	head := "package " + name + "\n\nimport corev1 \"" + path + "corev1\"\n"
	for alias, from := range imports {
		for _, used := range selector.FindAllStringSubmatch(body, -1) {
			if used[1] == alias {
				head += "import " + alias + " \"" + from + "\"\n"
				break
			}
		}
	}
	return head + body + "\n"
}
