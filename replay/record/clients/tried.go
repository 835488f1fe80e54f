package clients

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/informerscope/informerscope/replay/try"
)

// tried says, in the environment, that the test is the program which is tried.
const tried = "INFORMERSCOPE_TRIED"

// Try tries an informer of this version of client-go, in a process of its own. Want has what is to be said of each fault: the
// result, and what the client does wrong. It must be called by TestTried.
func Try(t *testing.T, want map[string]string) {
	if os.Getenv(tried) != "" {
		follow(t)
		return
	}
	t.Setenv(tried, "yes")
	r, err := try.Run(t.Context(), try.Options{Command: []string{os.Args[0], "-test.run=^TestTried$"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Verdicts {
		got := string(v.Result)
		for _, p := range v.Problems {
			got += " " + string(p.ID)
		}
		t.Logf("%-9s %s, %d requests, %v", v.Fault, v.Text(), v.Requests, v.From)
		if w, is := want[v.Fault]; !is && got != string(try.Recovered) || is && got != w {
			t.Errorf("%s: %s, want %s: %+v", v.Fault, got, w, v)
		}
	}
}

// follow runs an informer of ConfigMaps on the server of KUBECONFIG until the process is ended.
func follow(t *testing.T) {
	var config struct {
		Clusters []struct {
			Cluster struct {
				Server string
				CA     []byte `json:"certificate-authority-data"`
			}
		}
		Users []struct{ User struct{ Token string } }
	}
	b, err := os.ReadFile(os.Getenv("KUBECONFIG"))
	if err == nil {
		err = json.Unmarshal(b, &config)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := &rest.Config{Host: config.Clusters[0].Cluster.Server, BearerToken: config.Users[0].User.Token}
	c.CAData = config.Clusters[0].Cluster.CA
	informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(c), 10*time.Hour).Core().V1().ConfigMaps().Informer().Run(nil)
}
