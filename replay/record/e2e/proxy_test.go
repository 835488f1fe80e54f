package e2e

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/kubectl/pkg/proxy"
)

// kubectlProxy is what kubectl proxy runs, with its defaults.
type kubectlProxy struct {
	*httptest.Server
	handler http.Handler
}

// startProxy starts one in front of s. www is a folder to serve, or "".
func (s *apiServer) startProxy(www, wwwPrefix, apiPrefix string) *kubectlProxy {
	s.t.Helper()
	p := &kubectlProxy{handler: s.proxyHandler(www, wwwPrefix, apiPrefix)}
	p.serve(s.t, "127.0.0.1:0")
	return p
}

// serve serves at an address. It is also for a proxy that was stopped.
func (p *kubectlProxy) serve(t *testing.T, address string) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: p.handler}}
	server.Start()
	t.Cleanup(func() { // whoever watches would hold it up
		server.Listener.Close()
		server.CloseClientConnections()
		server.Close()
	})
	p.Server = server
}

// stop breaks all connections, and listens no more.
func (p *kubectlProxy) stop() (address string) {
	address = p.Listener.Addr().String()
	p.Listener.Close()
	p.CloseClientConnections()
	return address
}

// proxyHandler is the handler that kubectl makes of its flags' defaults.
func (s *apiServer) proxyHandler(www, wwwPrefix, apiPrefix string) http.Handler {
	s.t.Helper()
	filter := &proxy.FilterServer{
		AcceptPaths:   proxy.MakeRegexpArrayOrDie(proxy.DefaultPathAcceptRE),
		RejectPaths:   proxy.MakeRegexpArrayOrDie(proxy.DefaultPathRejectRE),
		AcceptHosts:   proxy.MakeRegexpArrayOrDie(proxy.DefaultHostAcceptRE),
		RejectMethods: proxy.MakeRegexpArrayOrDie(proxy.DefaultMethodRejectRE),
	}
	api, err := proxy.NewProxyHandler(apiPrefix, filter, s.config, 0, false)
	if err != nil {
		s.t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle(apiPrefix, api)
	if www != "" {
		mux.Handle(wwwPrefix, http.StripPrefix(wwwPrefix, http.FileServer(http.Dir(www))))
	}
	return mux
}
