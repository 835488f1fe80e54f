// Package beta asks the API server of a pre-release of Kubernetes what a newer server answers. It is sample-apiserver, which is made
// of the libraries of kube-apiserver, in front of an etcd. kube-apiserver itself needs a module of custom resources that the
// proxy of modules does not have.
//
// This is a module of its own, because a pre-release needs a newer Go.
package beta

import (
	"context"
	"flag"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/record/e2e/etcd"
	"github.com/informerscope/informerscope/replay/testserver/requests"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/sample-apiserver/pkg/cmd/server"
)

var update = flag.Bool("update", false, "write what the API server answers into the simulated server's testdata")

// TestShards sends to a real API server with the feature ShardedListAndWatch what the tests of replay/testserver send to the
// simulated one, and holds that it answers as it is written there. It has Flunders for ConfigMaps.
func TestShards(t *testing.T) {
	config := startAPIServer(t)
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	const name = "../../../testserver/testdata/shards.txt"
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := string(b)
	words := []string{"/api/v1/", "/apis/wardle.example.com/v1alpha1/", `"apiVersion":"v1"`, `"apiVersion":"wardle.example.com/v1alpha1"`, "configmaps", "flunders", "ConfigMap", "Flunder"}
	got, err := requests.Play(transport, config.Host, strings.NewReplacer(words...).Replace(want))
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(words)
	// A Flunder has empty fields, and a bookmark of v1.37 a creationTimestamp.
	words = append(words, `,"spec":{},"status":{}`, "", `"k8s.io/initial-events-end":"true"},`, `"k8s.io/initial-events-end":"true"},"creationTimestamp":null,`)
	got = strings.NewReplacer(words...).Replace(got)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, one := range requests.Differ(want, got) {
		t.Error(one)
	}
}

// startAPIServer starts an etcd and the API server, and returns what a client needs that may do everything.
func startAPIServer(t *testing.T) *rest.Config {
	t.Helper()
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	o := server.NewWardleServerOptions(io.Discard, io.Discard)
	server.NewCommandStartWardleServer(t.Context(), o, false) // registers the versions and gates
	r := o.RecommendedOptions
	r.Etcd.StorageConfig.Transport.ServerList = []string{etcd.Start(t)}
	r.Authentication, r.Authorization, r.CoreAPI, r.Admission = nil, nil, nil, nil
	r.Features.EnablePriorityAndFairness = false
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.SecureServing.Listener = listener
	r.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	r.SecureServing.BindAddress = net.IPv4(127, 0, 0, 1)
	r.SecureServing.ServerCert.CertDirectory = t.TempDir()
	if err := o.ComponentGlobalsRegistry.Set(); err != nil {
		t.Fatal(err)
	}
	config, err := o.Config()
	if err != nil {
		t.Fatal(err)
	}
	completed, err := config.Complete().New()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- completed.GenericAPIServer.PrepareRun().RunWithContext(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return completed.GenericAPIServer.LoopbackClientConfig
}
