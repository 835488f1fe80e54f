package v037

import (
	"context"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/recordtest"
	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
)

// TestRed is a test that fails where its environment says so: TestARedTestTellsItsStep runs it. It writes an
// object again and again.
func TestRed(t *testing.T) {
	folder := os.Getenv("INFORMERSCOPE_RED")
	if folder == "" {
		return
	}
	server := testserver.New(testserver.Options{})
	config := &rest.Config{Host: "http://testserver", Transport: server, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	recordtest.New(t, config, recordtest.Options{Folder: folder})
	t.Cleanup(server.Close)
	client := kubernetes.NewForConfigOrDie(config)
	ctx, cancel := context.WithCancel(t.Context())
	factory := informers.NewSharedInformerFactory(client, 0)
	t.Cleanup(factory.Shutdown)
	t.Cleanup(cancel)
	told := make(chan struct{}, 1)
	tell := func(any) {
		select {
		case told <- struct{}{}:
		default:
		}
	}
	informer := factory.Core().V1().ConfigMaps().Informer()
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: tell, UpdateFunc: func(_, o any) { tell(o) }})
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	web, err := client.CoreV1().ConfigMaps("shop").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "hot"}}, metav1.CreateOptions{})
	for i := 0; i < 200 && err == nil; i++ {
		web.Data = map[string]string{"n": time.Now().String()}
		web, err = client.CoreV1().ConfigMaps("shop").Update(ctx, web, metav1.UpdateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	for { // until the last event has come
		if o, is, _ := informer.GetStore().GetByKey("shop/hot"); is && o.(*corev1.ConfigMap).ResourceVersion == web.ResourceVersion {
			break
		}
		<-told
	}
	t.Error("hot is hot")
}

// TestARedTestTellsItsStep: what a failed test says at last, with client-go's own config, clients and informers.
func TestARedTestTellsItsStep(t *testing.T) {
	folder := t.TempDir()
	c := exec.Command(os.Args[0], "-test.run", "^TestRed$", "-test.v")
	c.Env = append(os.Environ(), "INFORMERSCOPE_RED="+folder)
	out, err := c.CombinedOutput()
	if err == nil {
		t.Fatalf("it passes:\n%s", out)
	}
	text, _, found := strings.Cut(string(out), "--- FAIL: TestRed")
	_, said, ok := strings.Cut(text, "hot is hot\n")
	name := filepath.Join(folder, "TestRed.trace.jsonl")
	if !ok || !found || !strings.Contains(said, "TestRed.trace.jsonl: One object changes all the time. ") ||
		!strings.Contains(said, "  costly, 0:0") || !strings.Contains(said, "shop/hot of configmaps changed 201 times within a minute") ||
		!strings.Contains(said, "&informer=configmaps&") || !strings.HasSuffix(said, "informerscope open "+name+" shows it, too.\n") || strings.Contains(said, "not ended") {
		t.Errorf("it says\n%s", out)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestDying is a process that dies where its environment says so: TestAProcessThatDiesOfAPanic runs it. Its handler asserts a type, and meets
// a tombstone.
func TestDying(t *testing.T) {
	name := os.Getenv("INFORMERSCOPE_DYING")
	if name == "" {
		return
	}
	crash, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	ring, err := record.NewRing(record.RingOptions{CrashOutput: crash})
	if err != nil {
		t.Fatal(err)
	}
	faults := whatif.New(testserver.New(testserver.Options{}))
	config := &rest.Config{Host: "http://testserver", Transport: faults, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	direct := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps("shop")
	for _, name := range []string{"web", "other"} {
		if _, err := direct.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	recorded := rest.CopyConfig(config)
	var ended atomic.Bool
	recorded.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if ended.Swap(false) { // no watch is open, so that only the list can tell
				if err := direct.Delete(t.Context(), "web", metav1.DeleteOptions{}); err != nil {
					t.Error(err)
				}
			}
			return next.RoundTrip(r)
		})
	})
	recorded.Wrap(ring.Wrap)
	i := informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(recorded), 0).Core().V1().ConfigMaps().Informer()
	i.AddEventHandler(ring.Handler("web", cache.ResourceEventHandlerFuncs{AddFunc: func(any) {}, DeleteFunc: func(obj any) { _ = obj.(*corev1.ConfigMap).Name }}))
	go i.Run(t.Context().Done())
	cache.WaitForCacheSync(t.Context().Done(), i.HasSynced)
	ended.Store(true)
	faults.End(whatif.Expired, "configmaps")
	<-t.Context().Done()
}

// roundTripper is a function that answers requests.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestAProcessThatDiesOfAPanic holds what is said of the recording that such a process leaves: how it died, and nothing of what had no time to
// end. No watch was refused, no list waits, nobody was removed.
func TestAProcessThatDiesOfAPanic(t *testing.T) {
	name := filepath.Join(t.TempDir(), "crash.trace.jsonl")
	c := exec.Command(os.Args[0], "-test.run", "^TestDying$", "-test.timeout", "1m")
	c.Env = append(os.Environ(), "INFORMERSCOPE_DYING="+name)
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "interface conversion") {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s := read(t, b)
	if len(s.report.Waiting) > 0 {
		t.Errorf("it is said to wait: %+v", s.report.Waiting)
	}
	pass := findings.NewPass(s.trace, findings.Options{Log: &s.log})
	pass.Add(math.MaxInt)
	all := pass.Findings()
	if len(all) != 1 || all[0].ID != "handler-panic" || all[0].Key != "shop/web" || all[0].Fn != "OnDelete" || !all[0].Tombstone || !all[0].Last {
		t.Errorf("found: %+v", all)
	}
	bin := filepath.Join(t.TempDir(), "informerscope")
	build := exec.Command("go", "build", "-o", bin, "./replay/cmd/informerscope")
	build.Dir = "../../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, _ := exec.Command(bin, "report", name).CombinedOutput()
	text := strings.Join(strings.Fields(string(out)), " ")
	for says, want := range map[string]bool{
		"Handler web of configmaps panicked in OnDelete, first for shop/web": true, "It got a DeletedFinalStateUnknown": true, "The recording ends with it": true,
		"refused:": false, "never arrived": false, "removed": false, "not ended": false, "not returned": false,
	} {
		if strings.Contains(text, says) != want {
			t.Errorf("the report says %q: %v\n%s", says, !want, out)
		}
	}
}
