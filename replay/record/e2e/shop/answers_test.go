package shop

import (
	"flag"
	"os"
	"testing"

	"github.com/informerscope/informerscope/replay/testserver/requests"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

var update = flag.Bool("update", false, "write what kube-apiserver answers into the simulated server's testdata")

// TestAnswers sends to kube-apiserver the requests for built-in kinds that the tests of replay/testserver send to the
// simulated one, and holds that it answers as it is written there.
func TestAnswers(t *testing.T) {
	c := startAPIServer(t)
	shop := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}
	if _, err := c.client(t, "test").CoreV1().Namespaces().Create(t.Context(), shop, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(c.config)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"builtin.txt", "strategic.txt", "pods.txt", "refusals.txt", "apply.txt"} {
		file := "../../../testserver/testdata/" + name
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := requests.Play(transport, c.config.Host, string(want))
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		for _, one := range requests.Differ(string(want), got) {
			t.Errorf("%s: %s", name, one)
		}
	}
}
