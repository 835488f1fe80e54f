package v037

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informerscope/informerscope/replay/record/recordtest"
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
	factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{})
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
