//go:build clients

package apiserver

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/serve"
)

// TestKubectl holds what kubectl says of a capture. The server stands at its start until kubectl waits for what comes.
func TestKubectl(t *testing.T) {
	s, err := serverOf([]byte(simple), Options{Paused: true, Speed: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	port, err := serve.Secure(0, "apiserver", "default")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	defer func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		port.Close()
	}()
	go s.Run(ctx)
	go func() { served <- s.Serve(ctx, port, HandlerOf(s.Server)) }()
	command := func(args string) *exec.Cmd {
		c := exec.CommandContext(ctx, "kubectl", append(strings.Fields(args), "--cache-dir", t.TempDir())...)
		c.Env = append(os.Environ(), "KUBECONFIG="+port.Kubeconfig(), "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
		return c
	}
	kubectl := func(args string, says ...string) {
		t.Helper()
		c := command(args)
		out, err := c.CombinedOutput()
		for _, part := range says {
			if !strings.Contains(string(out), part) {
				t.Errorf("kubectl %s: %v: %s\ndoesn't say %q", args, err, out, part)
			}
		}
	}
	kubectl("api-resources", "pods   po           v1           true         Pod")
	kubectl("get pods --all-namespaces", "NAMESPACE   NAME   AGE\na           x      <unknown>\nb           y      <unknown>\n")
	kubectl("get pods --all-namespaces --selector app=y --output name", "pod/y")
	kubectl("get pod x --namespace a --output jsonpath={.metadata.resourceVersion},{.spec.version}", "7,7")
	kubectl("describe pod x --namespace a", "Name:         x\nNamespace:    a\n", "app=x")
	kubectl("get secrets", "the server doesn't have a resource type \"secrets\"")
	kubectl("delete pod x --namespace a", "Error from server (MethodNotAllowed): the server shows a recording and takes no writes")
	watch := command("get pods --namespace a --watch --output-watch-events --no-headers")
	out, err := watch.StdoutPipe()
	if err == nil {
		err = watch.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for _, want := range []string{"ADDED x", "ADDED z", "MODIFIED x", "MODIFIED z"} {
		if !lines.Scan() {
			t.Fatalf("kubectl ends before it says %s", want)
		}
		if got := strings.Join(strings.Fields(lines.Text())[:2], " "); got != want {
			t.Errorf("kubectl get --watch: %s, want %s", lines.Text(), want)
		}
		s.Pause(false)
	}
	watch.Process.Kill()
	watch.Wait() // it was killed
	s.SeekTo(0)
	kubectl("wait pod/x --namespace a --for=jsonpath={.spec.version}=105 --timeout=1m", "pod/x condition met")
}
