package shop

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record/cluster"
	"github.com/informerscope/informerscope/replay/record/e2e/etcd"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/trace"
)

// handlers is the line of the trace with the process to which the page plays it: a handler that keeps up, one
// that feeds a workqueue and resyncs, and one that is too slow. Nobody recorded them.
const handlers = `{"t":0,"future":{"setup":{"handlers":[{"name":"metrics","takes":50000},{"name":"controller","takes":200000,"resync":60000000000,"workqueue":true},{"name":"audit","takes":20000000}],"index":"app","resync":60000000000,"workers":2,"workTime":5000000,"listed":true}}}` + "\n"

var out = flag.String("out", "", "the `file` to write the trace to")

// recorded are the resources that are recorded.
var recorded = []string{
	"/api/v1/pods", "/apis/apps/v1/deployments", "/apis/apps/v1/replicasets", "/api/v1/configmaps", "/api/v1/secrets", "/api/v1/services",
	"/apis/discovery.k8s.io/v1/endpointslices", "/apis/batch/v1/jobs", "/api/v1/namespaces", "/api/v1/nodes", "/apis/coordination.k8s.io/v1/leases", "/api/v1/events",
}

// TestShop lets a shop live, and records it. While the recorder's connection is cut, pods
// go and come, and etcd forgets how: so there is a relist, with a tombstone.
func TestShop(t *testing.T) {
	plane := startControlPlane(t)
	startKubelets(t, plane.client(t, "kubelet"), "node-1", "node-2")
	proxy := startProxy(t, plane.config)
	s := &shop{t: t, client: plane.client(t, "kubectl")}
	s.open()

	r := startRecording(t, proxy.address)
	r.has("watch=true", len(recorded))
	s.happens(r, "scale to 5", func() { s.scale(5) })
	s.happens(r, "rolling update to web:1.1", func() { s.roll("web:1.1") })
	s.happens(r, "a bad image", func() {
		s.image("web:broken")
		s.eventually("back-off", func() bool {
			return slices.ContainsFunc(s.pods(), func(p corev1.Pod) bool { return stateOf(&p) == "ImagePullBackOff" })
		})
	})
	s.happens(r, "the rollout is undone", func() { s.roll("web:1.1") })
	s.happens(r, "a pod moves out of tier=gold, and back", func() {
		name := s.pods()[0].Name
		s.label(name, "silver")
		s.label(name, "gold")
	})
	s.happens(r, "a job", func() { s.job("once") })
	s.happens(r, "the connection is cut", func() {
		proxy.cut()
		web := s.pods()[0].Name
		s.remove(web)
		s.settled("web:1.1")
		s.remove("singleton")
		s.pod("singleton", "singleton:2")
		s.config("app-config", "theme", "autumn")
		etcd.Compact(t, plane.etcd)
		r.has(`"end":{"how":"refused"`, len(recorded))
	})
	s.happens(r, "the connection is back", func() {
		proxy.serve(t)
		r.has(`"kind":"PodList"`, 2)
		s.eventually("all watch", func() bool { return r.watching() })
	})
	s.happens(r, "a configmap with a finalizer is deleted", func() { s.lingers("held") })
	s.happens(r, "a configmap is deleted, and made anew", func() {
		s.must(s.client.CoreV1().ConfigMaps("shop").Delete(t.Context(), "app-config", metav1.DeleteOptions{}))
		s.configMap("app-config", "theme", "winter")
	})
	s.happens(r, "forty updates at once", func() {
		for i := range 40 {
			s.config("app-config", "visitors", fmt.Sprint(i))
		}
	})
	s.happens(r, "the namespace is deleted", func() { s.close() })
	b := r.end()

	tr, err := file.Read(bytes.NewReader(b), format.Options{})
	if err != nil || tr.ProblemCount > 0 || len(tr.Resources) != len(recorded) {
		t.Fatal(err, tr.Problems, len(tr.Resources))
	}
	pods := tr.Resources[slices.IndexFunc(tr.Resources, func(r *trace.Resource) bool { return r.Name() == "pods" })]
	expired := slices.ContainsFunc(pods.Records, func(x trace.Record) bool { return x.Failure == trace.Expired })
	if gone := missed(pods); !expired || gone == 0 || pods.Lists != 2 || pods.Records[1].Kind != trace.ListItem {
		t.Errorf("pods: expired %v, %d gone meanwhile, %d lists, first %v", expired, gone, pods.Lists, pods.Records[1].Kind)
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	head := bytes.IndexByte(b, '\n') + 1
	w.Write(slices.Concat(b[:head], []byte(handlers), b[head:]))
	s.must(w.Close())
	t.Logf("%d bytes, %d gzipped", len(b), packed.Len())
	if *out != "" {
		s.must(os.WriteFile(*out, packed.Bytes(), 0o644))
	}
}

// missed is how many objects are not in the second list, although no event told that they
// were deleted.
func missed(r *trace.Resource) (n int) {
	lists, there := 0, map[string]bool{}
	for _, x := range r.Records {
		key := r.Table.KeyText(r.Table.KeyOf(x.Obj))
		switch {
		case x.Kind == trace.ListBegin:
			lists++
		case x.Kind == trace.ListItem && lists == 1, x.Kind == trace.WatchEvent && x.Type != trace.TypeError:
			there[key] = x.Type != trace.TypeDeleted
		case x.Kind == trace.ListItem:
			delete(there, key)
		case x.Kind == trace.ListEnd && lists == 2:
			for _, is := range there {
				if is {
					n++
				}
			}
			return n
		}
	}
	return 0
}

// shop is a namespace, and what somebody does in it with kubectl.
type shop struct {
	t      *testing.T
	client kubernetes.Interface
}

func (s *shop) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// eventually waits until is true.
func (s *shop) eventually(what string, is func() bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	if wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(context.Context) (bool, error) { return is(), nil }) != nil {
		s.t.Fatal("it never happens: " + what)
	}
}

// happens notes what happens in the recording, and lets it happen.
func (s *shop) happens(r *recording, what string, does func()) {
	s.t.Helper()
	r.mark(what)
	does()
}

// open makes the shop, and waits until it runs.
func (s *shop) open() {
	s.t.Helper()
	ctx := s.t.Context()
	_, err := s.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}, metav1.CreateOptions{})
	s.must(err)
	s.configMap("app-config", "theme", "summer")
	_, err = s.client.CoreV1().Secrets("shop").Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "app-secret"}, StringData: map[string]string{"password": "not a secret"}}, metav1.CreateOptions{})
	s.must(err)
	_, err = s.client.CoreV1().Services("shop").Create(ctx, &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": "web"}, Ports: []corev1.ServicePort{{Port: 80, TargetPort: intstr.FromInt32(8080)}}},
	}, metav1.CreateOptions{})
	s.must(err)
	replicas := int32(3)
	labels := map[string]string{"app": "web", "tier": "gold"}
	_, err = s.client.AppsV1().Deployments("shop").Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1.0"}}}},
		},
	}, metav1.CreateOptions{})
	s.must(err)
	s.pod("singleton", "singleton:1")
	s.settled("web:1.0")
}

// settled waits until the deployment runs an image, and no pod is on its way.
func (s *shop) settled(image string) {
	s.t.Helper()
	s.eventually(image+" runs", func() bool {
		d, err := s.client.AppsV1().Deployments("shop").Get(s.t.Context(), "web", metav1.GetOptions{})
		n := *d.Spec.Replicas
		if err != nil || d.Status.ObservedGeneration < d.Generation || d.Status.UpdatedReplicas != n || d.Status.AvailableReplicas != n || d.Status.Replicas != n {
			return false
		}
		pods := s.pods()
		return len(pods) == int(n) && !slices.ContainsFunc(pods, func(p corev1.Pod) bool {
			return stateOf(&p) != "Running" || p.DeletionTimestamp != nil || p.Spec.Containers[0].Image != image
		})
	})
}

// pods are the deployment's pods, sorted by name.
func (s *shop) pods() []corev1.Pod {
	s.t.Helper()
	l, err := s.client.CoreV1().Pods("shop").List(s.t.Context(), metav1.ListOptions{LabelSelector: "app=web"})
	s.must(err)
	return l.Items
}

func (s *shop) scale(n int) {
	s.t.Helper()
	_, err := s.client.AppsV1().Deployments("shop").Patch(s.t.Context(), "web", types.MergePatchType, fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, n), metav1.PatchOptions{})
	s.must(err)
	s.eventually("the scale", func() bool { return len(s.pods()) == n })
	s.settled("web:1.0")
}

func (s *shop) image(name string) {
	s.t.Helper()
	_, err := s.client.AppsV1().Deployments("shop").Patch(s.t.Context(), "web", types.StrategicMergePatchType, fmt.Appendf(nil, `{"spec":{"template":{"spec":{"containers":[{"name":"web","image":%q}]}}}}`, name), metav1.PatchOptions{})
	s.must(err)
}

func (s *shop) roll(image string) {
	s.t.Helper()
	s.image(image)
	s.settled(image)
}

func (s *shop) label(pod, tier string) {
	s.t.Helper()
	_, err := s.client.CoreV1().Pods("shop").Patch(s.t.Context(), pod, types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"labels":{"tier":%q}}}`, tier), metav1.PatchOptions{})
	s.must(err)
}

// pod makes a pod that nobody controls, and waits until it runs.
func (s *shop) pod(name, image string) {
	s.t.Helper()
	_, err := s.client.CoreV1().Pods("shop").Create(s.t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": name}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: name, Image: image}}},
	}, metav1.CreateOptions{})
	s.must(err)
	s.eventually(name+" runs", func() bool {
		p, err := s.client.CoreV1().Pods("shop").Get(s.t.Context(), name, metav1.GetOptions{})
		return err == nil && stateOf(p) == "Running"
	})
}

// remove deletes a pod, and waits until it is gone.
func (s *shop) remove(name string) {
	s.t.Helper()
	s.must(s.client.CoreV1().Pods("shop").Delete(s.t.Context(), name, metav1.DeleteOptions{}))
	s.eventually(name+" is gone", func() bool {
		_, err := s.client.CoreV1().Pods("shop").Get(s.t.Context(), name, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}

// job runs a job to its end.
func (s *shop) job(name string) {
	s.t.Helper()
	_, err := s.client.BatchV1().Jobs("shop").Create(s.t.Context(), &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever, Containers: []corev1.Container{{Name: name, Image: "once:1"}}}}},
	}, metav1.CreateOptions{})
	s.must(err)
	s.eventually("the job ends", func() bool {
		j, err := s.client.BatchV1().Jobs("shop").Get(s.t.Context(), name, metav1.GetOptions{})
		return err == nil && slices.ContainsFunc(j.Status.Conditions, func(c batchv1.JobCondition) bool { return c.Type == batchv1.JobComplete })
	})
}

func (s *shop) configMap(name, key, value string, finalizers ...string) {
	s.t.Helper()
	_, err := s.client.CoreV1().ConfigMaps("shop").Create(s.t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Finalizers: finalizers}, Data: map[string]string{key: value}}, metav1.CreateOptions{})
	s.must(err)
}

func (s *shop) config(name, key, value string) {
	s.t.Helper()
	_, err := s.client.CoreV1().ConfigMaps("shop").Patch(s.t.Context(), name, types.MergePatchType, fmt.Appendf(nil, `{"data":{%q:%q}}`, key, value), metav1.PatchOptions{})
	s.must(err)
}

// lingers deletes a configmap that stays until its finalizer goes.
func (s *shop) lingers(name string) {
	s.t.Helper()
	s.configMap(name, "a", "b", "shop.example/hold")
	s.must(s.client.CoreV1().ConfigMaps("shop").Delete(s.t.Context(), name, metav1.DeleteOptions{}))
	_, err := s.client.CoreV1().ConfigMaps("shop").Patch(s.t.Context(), name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	s.must(err)
}

func (s *shop) close() {
	s.t.Helper()
	s.must(s.client.CoreV1().Namespaces().Delete(s.t.Context(), "shop", metav1.DeleteOptions{}))
	s.eventually("the namespace is gone", func() bool {
		_, err := s.client.CoreV1().Namespaces().Get(s.t.Context(), "shop", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}

// recording is one of all that is recorded, in memory.
type recording struct {
	s     *testing.T
	r     *cluster.Recording
	mu    sync.Mutex
	lines bytes.Buffer
	marks []line
	stop  context.CancelFunc
	ended chan error
}

// line is a line of a trace, and its time.
type line struct {
	at   int64
	text []byte
}

func startRecording(t *testing.T, server string) *recording {
	t.Helper()
	c, err := cluster.NewClient("http://"+server, nil, "informerscope")
	if err != nil {
		t.Fatal(err)
	}
	r := &recording{s: t, ended: make(chan error, 1)}
	header := trace.Header{Recorder: "informerscope", Server: kubernetesVersion}
	if r.r, err = cluster.NewRecording(c, r, func() error { return nil }, header); err != nil {
		t.Fatal(err)
	}
	for _, path := range recorded {
		r.r.Add(path, follow.Options{Path: path})
	}
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	go func() { r.ended <- r.r.Run(ctx) }()
	t.Cleanup(stop)
	return r
}

func (r *recording) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lines.Write(b)
}

// count is how often text was recorded.
func (r *recording) count(text string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Count(r.lines.String(), text)
}

// has waits until text was recorded so many times.
func (r *recording) has(text string, times int) {
	r.s.Helper()
	(&shop{t: r.s}).eventually(text, func() bool { return r.count(text) >= times })
}

// watching reports whether all resources are watched.
func (r *recording) watching() bool {
	return !slices.ContainsFunc(r.r.Progress(), func(p cluster.Progress) bool { return p.State != follow.Watching })
}

// mark adds a note.
func (r *recording) mark(text string) {
	at := int64(r.r.Elapsed())
	quoted, _ := json.Marshal(text)
	r.marks = append(r.marks, line{at, fmt.Appendf(nil, "{\"t\":%d,\"mark\":{\"text\":%s}}\n", at, quoted)})
}

// end stops, and returns the trace with its notes.
func (r *recording) end() []byte {
	r.s.Helper()
	r.stop()
	if err := <-r.ended; err != nil {
		r.s.Fatal(err)
	}
	header, rest, _ := bytes.Cut(r.lines.Bytes(), []byte("\n"))
	lines := r.marks
	for text := range bytes.Lines(rest) {
		var l struct{ T int64 }
		if err := json.Unmarshal(text, &l); err != nil {
			r.s.Fatal(err)
		}
		lines = append(lines, line{l.T, text})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return int(a.at - b.at) })
	b := append(bytes.Clone(header), '\n')
	for _, l := range lines {
		b = append(b, l.text...)
	}
	return b
}
