// Package e2e tries the recorder on a real API server, which is started within
// the test from its own libraries. It is the API server of custom resources, in front of
// an etcd. Both listen on the loopback interface only.
package e2e

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/internal/rounds"
	"github.com/informerscope/informerscope/replay/record/e2e/etcd"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	dir, err := os.MkdirTemp("", "informerscope-e2e")
	if err != nil {
		panic(err)
	}
	built = filepath.Join(dir, "informerscope")
	status := m.Run()
	endChromium()
	os.RemoveAll(dir)
	os.Exit(status)
}

// built is where informerscope is built.
var built string

// widgets are the custom resource that the tests are about.
var widgets = schema.GroupVersionResource{Group: rounds.Group, Version: rounds.Version, Resource: rounds.Plural}

// apiServer is a running API server.
type apiServer struct {
	t       *testing.T
	config  *rest.Config // of a client that may do everything
	widgets dynamic.ResourceInterface
	etcd    *clientv3.Client

	subresources *apiextensionsv1.CustomResourceSubresources // of widgets
}

// startServer starts an etcd, and an API server that has widgets in namespace
// shop. Without its watch cache, lists and watches are etcd's.
func startServer(t *testing.T, watchCache bool) *apiServer {
	t.Helper()
	return startServerWith(t, watchCache, nil)
}

// startServerWith is startServer with subresources of widgets.
func startServerWith(t *testing.T, watchCache bool, subresources *apiextensionsv1.CustomResourceSubresources) *apiServer {
	t.Helper()
	s := &apiServer{t: t, subresources: subresources}
	endpoint := etcd.Start(t)
	var err error
	if s.etcd, err = clientv3.New(clientv3.Config{Endpoints: []string{endpoint}, Logger: zap.NewNop()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.etcd.Close() })
	t.Cleanup(s.run(endpoint, watchCache))
	s.define()
	return s
}

// run runs the API server until stop is called.
func (s *apiServer) run(endpoint string, watchCache bool) (stop func()) {
	t := s.t
	t.Helper()
	// It would ask another API server who may do what, and for namespaces. There is none,
	// so it is set up to ask nobody.
	nobody := filepath.Join(t.TempDir(), "kubeconfig")
	const kubeconfig = `{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:1"}}],"contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],"users":[{"name":"u","user":{}}]}`
	if err := os.WriteFile(nobody, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	o := options.NewCustomResourceDefinitionsServerOptions(io.Discard, io.Discard)
	r := o.RecommendedOptions
	r.Etcd.StorageConfig.Transport.ServerList = []string{endpoint}
	r.Etcd.EnableWatchCache = watchCache
	r.Authentication, r.Authorization, r.Admission = nil, nil, nil
	r.CoreAPI.CoreAPIKubeconfigPath = nobody
	r.Features.EnablePriorityAndFairness = false
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.SecureServing.Listener = listener
	r.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	r.SecureServing.BindAddress = net.IPv4(127, 0, 0, 1)
	r.SecureServing.ServerCert.CertDirectory = t.TempDir()
	if err := o.Complete(); err != nil {
		t.Fatal(err)
	}
	config, err := o.Config()
	if err != nil {
		t.Fatal(err)
	}
	config.GenericConfig.SkipOpenAPIInstallation = true
	completed := config.Complete()
	completed.GenericConfig.EnableDiscovery = true // else that is another server's
	server, err := completed.New(genericapiserver.NewEmptyDelegate())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.GenericAPIServer.PrepareRun().RunWithContext(ctx) }()
	s.config = server.GenericAPIServer.LoopbackClientConfig
	return sync.OnceFunc(func() {
		cancel()
		<-ended
	})
}

// define adds the custom resource, and waits until it is served.
func (s *apiServer) define() {
	s.t.Helper()
	yes := true
	crd := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets." + widgets.Group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: widgets.Group,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: rounds.Plural, Singular: "widget", Kind: rounds.Kind, ListKind: "WidgetList", ShortNames: []string{rounds.ShortName}},
			Scope: apiextensionsv1.NamespaceScoped,
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema:       &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &yes}},
				Subresources: s.subresources,
			}},
		},
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	extensions, err := clientset.NewForConfig(s.config)
	if err != nil {
		s.t.Fatal(err)
	}
	if s.widgets, err = s.client(); err != nil {
		s.t.Fatal(err)
	}
	var last error
	err = wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		if crd != nil {
			if _, last = extensions.ApiextensionsV1().CustomResourceDefinitions().Create(ctx, crd, metav1.CreateOptions{}); last != nil {
				return false, nil // it is not up yet
			}
			crd = nil
		}
		_, last = s.widgets.List(ctx, metav1.ListOptions{})
		return last == nil, nil
	})
	if err != nil {
		s.t.Fatal(err, last)
	}
}

func (s *apiServer) client() (dynamic.ResourceInterface, error) {
	c, err := dynamic.NewForConfig(rest.CopyConfig(s.config))
	if err != nil {
		return nil, err
	}
	return c.Resource(widgets).Namespace(rounds.Namespace), nil
}

// Create makes a widget.
func (s *apiServer) Create(name string) {
	s.t.Helper()
	_, err := s.widgets.Create(s.t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": widgets.GroupVersion().String(), "kind": "Widget",
		"metadata": map[string]any{"name": name, "labels": map[string]any{"app": name}}, "spec": map[string]any{"size": int64(0)},
	}}, metav1.CreateOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
}

// Resize changes a widget.
func (s *apiServer) Resize(name string, size int64) { s.resize(name, size) }

// resize changes a widget, and returns it.
func (s *apiServer) resize(name string, size int64) *unstructured.Unstructured {
	s.t.Helper()
	o, err := s.widgets.Get(s.t.Context(), name, metav1.GetOptions{})
	if err == nil {
		if err = unstructured.SetNestedField(o.Object, size, "spec", "size"); err == nil {
			o, err = s.widgets.Update(s.t.Context(), o, metav1.UpdateOptions{})
		}
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

// Delete deletes a widget.
func (s *apiServer) Delete(name string) {
	s.t.Helper()
	if err := s.widgets.Delete(s.t.Context(), name, metav1.DeleteOptions{}); err != nil {
		s.t.Fatal(err)
	}
}

// Compact makes etcd forget all but the newest revision.
func (s *apiServer) Compact() {
	s.t.Helper()
	etcd.Compact(s.t, s.etcd)
}

// eventually waits until is true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	within(t, 30*time.Second, what, is)
}

// within is eventually with a limit of its own.
func within(t *testing.T, limit time.Duration, what string, is func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	err := wait.PollUntilContextCancel(ctx, 10*time.Millisecond, true, func(context.Context) (bool, error) { return is(), nil })
	if err != nil {
		t.Fatal("it never happens: " + what)
	}
}
