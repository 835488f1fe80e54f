package clients

import (
	"os"
	"testing"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/informerscope/informerscope/replay/internal/kubeconfigtest"
	"github.com/informerscope/informerscope/replay/try"
)

// tried says, in the environment, that the test is the program which is tried.
const tried = "INFORMERSCOPE_TRIED"

// Try tries a program, in a process of its own, which is given the config of the server. Want has what is to be said of each
// fault: the result, and what the program does wrong. It must be called by TestTried.
func Try(t *testing.T, want map[string]string, program func(t *testing.T, c *rest.Config)) {
	if os.Getenv(tried) != "" {
		config, err := kubeconfigtest.Read()
		if err != nil {
			t.Fatal(err)
		}
		c := &rest.Config{Host: config.Server, BearerToken: config.Token}
		c.CAData = config.CA
		program(t, c)
		return
	}
	t.Setenv(tried, "yes")
	r, err := try.Run(t.Context(), try.Options{Command: []string{os.Args[0], "-test.run=^TestTried$"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Verdicts {
		got := v.Summary()
		t.Logf("%-9s %s, %d requests, %v", v.Fault, v.Text(), v.Requests, v.From)
		if w, is := want[v.Fault]; !is && got != string(try.Recovered) || is && got != w {
			t.Errorf("%s: %s, want %s: %+v", v.Fault, got, w, v)
		}
	}
}

// Follow runs an informer of ConfigMaps until the process is ended.
func Follow(_ *testing.T, c *rest.Config) {
	informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(c), 10*time.Hour).Core().V1().ConfigMaps().Informer().Run(nil)
}
