package v037

import (
	"regexp"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
)

// TestLessonCode compiles the Go of the lessons with this version of client-go. Each block is a package of its own: its declarations
// or its fields of ResourceEventHandlerFuncs or its statements. What it takes for
// granted is declared around it.
func TestLessonCode(t *testing.T) {
	b := live.NewOverlay(t)
	var folders []string
	for at, lines := range live.Lessons(t, "go") {
		name := strings.NewReplacer(".md:", "", "-", "").Replace(at)
		b.Add(name, program(name, strings.Join(lines, "\n"), "_", ""))
		folders = append(folders, name)
	}
	b.Build(t, "build", nil, folders...)
}

// granted is what a block may use without declaring it.
var granted = []string{
	"informer cache.SharedIndexInformer", "handler cache.ResourceEventHandler", "queue workqueue.TypedRateLimitingInterface[string]",
	"lw cache.ListerWatcher", "list func(metav1.ListOptions) (runtime.Object, error)", "failures atomic.Int64", "expected types.UID", "owner metav1.Object", "clientset kubernetes.Interface",
	"watchPods func(context.Context, metav1.ListOptions) (watch.Interface, error)", "get func(context.Context, string, metav1.GetOptions) (*corev1.Pod, error)",
	"logger klog.Logger", "written *corev1.Pod", "lock resourcelock.Interface",
	"ctx context.Context", "namespace, name string", "use func(*corev1.Pod)", "release func(*corev1.Pod)", "enqueue func(any)",
	"forget func(namespace, name string)", "reconcile func(context.Context, string) error", "cleanUp func(ctx context.Context, namespace, name string) error",
	"drive func(context.Context, *corev1.Pod) error", "runWorker func(context.Context)",
	"pods interface{ Pods(namespace string) interface{ Get(name string) (*corev1.Pod, error) } }",
	"deployments interface{ Deployments(namespace string) interface{ Get(name string) (*corev1.Deployment, error) } }",
	"client interface{ AppsV1() interface{ Deployments(namespace string) interface{ Get(context.Context, string, metav1.GetOptions) (*corev1.Deployment, error); Update(context.Context, *corev1.Deployment, metav1.UpdateOptions) (*corev1.Deployment, error) } } }",
	"factory interface { Core() interface{ V1() interface{ Pods() interface{ Informer() cache.SharedIndexInformer } } }; Start(<-chan struct{}); StartWithContext(context.Context); Shutdown(); WaitForCacheSyncWithContext(context.Context) cache.SyncResult; WaitForCacheSync(<-chan struct{}) map[reflect.Type]bool }",
}

var imports = map[string]string{
	"apierrors": "k8s.io/apimachinery/pkg/api/errors", "metav1": "k8s.io/apimachinery/pkg/apis/meta/v1", "wait": "k8s.io/apimachinery/pkg/util/wait",
	"resourceversion": "k8s.io/apimachinery/pkg/util/resourceversion", "klog": "k8s.io/klog/v2",
	"runtime": "k8s.io/apimachinery/pkg/runtime", "types": "k8s.io/apimachinery/pkg/types", "watch": "k8s.io/apimachinery/pkg/watch", "meta": "k8s.io/apimachinery/pkg/api/meta",
	"utilruntime": "k8s.io/apimachinery/pkg/util/runtime", "retry": "k8s.io/client-go/util/retry", "pager": "k8s.io/client-go/tools/pager", "atomic": "sync/atomic",
	"leaderelection": "k8s.io/client-go/tools/leaderelection", "resourcelock": "k8s.io/client-go/tools/leaderelection/resourcelock",
	"informers": "k8s.io/client-go/informers", "kubernetes": "k8s.io/client-go/kubernetes",
	"cache": "k8s.io/client-go/tools/cache", "workqueue": "k8s.io/client-go/util/workqueue", "context": "context", "fmt": "fmt", "reflect": "reflect", "time": "time",
}

var selector = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.[A-Z]`)

// program makes a file of a block. The value or the function that it makes of fields or of statements has the name as. More
// is declared after it.
func program(name, block, as, more string) string {
	body := block
	switch {
	case strings.HasPrefix(block, "func "):
	case regexp.MustCompile(`^[A-Z]\w*Func: `).MatchString(block):
		body = "var " + as + " = cache.ResourceEventHandlerFuncs{\n" + block + "\n}"
	default:
		body = "func " + as + "() error {\n" + block + "\nreturn nil\n}"
	}
	body += "\n\n" + more
	for _, g := range granted {
		if first, _, _ := strings.Cut(g, " "); !strings.Contains(block, "func "+first+"(") {
			body = "var " + g + "\n" + body
		}
	}
	head := "package " + name + "\n\nimport \"github.com/informerscope/informerscope/engine/conformance/live/corev1\"\n"
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
