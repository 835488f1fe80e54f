package e2e

import (
	"flag"
	"os"
	"testing"

	"github.com/informerscope/informerscope/replay/testserver/requests"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/rest"
)

var update = flag.Bool("update", false, "write what the real API server answers into the simulated server's testdata")

// TestControlPlane sends to a real API server what the tests of replay/testserver send to the
// simulated one, and holds that it answers as it is written there.
func TestControlPlane(t *testing.T) {
	selector := ".status.selector"
	s := startServerWith(t, true, &apiextensionsv1.CustomResourceSubresources{
		Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
		Scale:  &apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas", LabelSelectorPath: &selector},
	})
	const name = "../../testserver/testdata/custom.txt"
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(s.config)
	if err != nil {
		t.Fatal(err)
	}
	got, err := requests.Play(transport, s.config.Host, string(want))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, one := range requests.Differ(string(want), got) {
		t.Error(one)
	}
}
