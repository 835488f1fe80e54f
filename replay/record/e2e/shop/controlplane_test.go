// Package shop records the trace that the page opens with: a small shop in a cluster of
// two nodes. etcd, the API server, the controllers and the scheduler are Kubernetes' own,
// and run within the test. Only the kubelets are the test's.
//
// This is a module of its own, because to compile Kubernetes takes minutes.
package shop

import (
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/informerscope/informerscope/replay/record/e2e/etcd"
	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app/testing"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

// kubernetesVersion is the one in go.mod. The API server was compiled without the flags
// that would tell it.
const kubernetesVersion = "v1.37.2"

func TestMain(m *testing.M) {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// controlPlane is a running one.
type controlPlane struct {
	config *rest.Config // of a client that may do everything
	etcd   *clientv3.Client
}

// startControlPlane starts etcd, kube-apiserver, kube-controller-manager and
// kube-scheduler. Pods are served without a watch cache, so a client that has missed what
// etcd has forgotten is refused at once. A cache would remember some more.
func startControlPlane(t *testing.T) *controlPlane {
	t.Helper()
	c := startAPIServer(t)
	startManager(t, c.config)
	startScheduler(t, c.config)
	return c
}

// startAPIServer starts etcd and kube-apiserver.
func startAPIServer(t *testing.T) *controlPlane {
	t.Helper()
	os.Args[0] = "kube-apiserver" // client-go tells a server this name, and managedFields show it
	stored := storagebackend.NewDefaultConfig("/registry", nil)
	stored.Transport.ServerList = []string{etcd.Start(t)}
	server := apiserver.StartTestServerOrDie(t, &apiserver.TestServerInstanceOptions{DisableInvariantChecks: true}, []string{
		// Nobody makes service accounts, or takes the taint off a node that has become ready.
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
		"--watch-cache-sizes=pods#0",
	}, stored)
	t.Cleanup(server.TearDownFn)
	return &controlPlane{config: server.ClientConfig, etcd: server.EtcdClient}
}

// client returns a client whose name managedFields show.
func (c *controlPlane) client(t *testing.T, name string) kubernetes.Interface {
	t.Helper()
	config := rest.CopyConfig(c.config)
	config.UserAgent = name
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// startManager starts the controllers that a shop needs.
func startManager(t *testing.T, config *rest.Config) {
	t.Helper()
	os.Args[0] = "kube-controller-manager"
	name := filepath.Join(t.TempDir(), "kubeconfig")
	err := clientcmd.WriteToFile(clientcmdapi.Config{
		CurrentContext: "c",
		Clusters:       map[string]*clientcmdapi.Cluster{"c": {Server: config.Host, CertificateAuthorityData: config.CAData, CertificateAuthority: config.CAFile, TLSServerName: config.ServerName}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"u": {Token: config.BearerToken}},
		Contexts:       map[string]*clientcmdapi.Context{"c": {Cluster: "c", AuthInfo: "u"}},
	}, name)
	if err != nil {
		t.Fatal(err)
	}
	m := manager.StartTestServerOrDie(t, t.Context(), []string{
		"--kubeconfig=" + name, "--secure-port=0", "--leader-elect=false",
		"--controllers=deployment-controller,replicaset-controller,job-controller,endpointslice-controller,namespace-controller,garbage-collector-controller",
	})
	t.Cleanup(m.TearDownFn)
}

func startScheduler(t *testing.T, config *rest.Config) {
	t.Helper()
	config = rest.CopyConfig(config)
	config.UserAgent = "kube-scheduler"
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	informers := scheduler.NewInformerFactory(client, 0, nil)
	told := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	told.StartRecordingToSink(t.Context().Done())
	t.Cleanup(told.Shutdown)
	s, err := scheduler.New(t.Context(), client, informers, nil, profile.NewRecorderFactory(told), scheduler.WithKubeConfig(config))
	if err != nil {
		t.Fatal(err)
	}
	informers.Start(t.Context().Done())
	informers.WaitForCacheSync(t.Context().Done())
	if err := s.WaitForHandlersSync(t.Context()); err != nil {
		t.Fatal(err)
	}
	go s.Run(t.Context())
}

// proxy lets a client without credentials read the API server, until it is cut.
type proxy struct {
	handler http.Handler
	server  *http.Server
	address string
}

func startProxy(t *testing.T, config *rest.Config) *proxy {
	t.Helper()
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	to, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{address: "127.0.0.1:0", handler: &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, Transport: transport, FlushInterval: -1,
	}}
	p.serve(t)
	t.Cleanup(p.cut)
	return p
}

// serve serves, again at the same address.
func (p *proxy) serve(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", p.address)
	if err != nil {
		t.Fatal(err)
	}
	p.address = l.Addr().String()
	p.server = &http.Server{Handler: p.handler}
	go p.server.Serve(l)
}

// cut breaks all connections, and lets nobody connect.
func (p *proxy) cut() { p.server.Close() }
