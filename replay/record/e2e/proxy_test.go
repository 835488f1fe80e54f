package e2e

import (
	"net/http"

	"k8s.io/kubectl/pkg/proxy"

	"github.com/informerscope/informerscope/replay/internal/rounds"
)

// startProxy starts what kubectl proxy runs, with its defaults, in front of s. www is a folder to serve, or "".
func (s *apiServer) startProxy(www, wwwPrefix, apiPrefix string) *rounds.Connection {
	s.t.Helper()
	w := &rounds.Connection{}
	w.Serve(s.t, s.proxyHandler(www, wwwPrefix, apiPrefix))
	return w
}

// behindKubectl is s behind a kubectl proxy, as rounds want it.
type behindKubectl struct {
	*apiServer
	way *rounds.Connection
}

// throughKubectl starts a kubectl proxy in front of s.
func (s *apiServer) throughKubectl() behindKubectl {
	s.t.Helper()
	return behindKubectl{s, s.startProxy("", "", "/")}
}

func (k behindKubectl) URL() string { return k.way.URL }
func (k behindKubectl) Break()      { k.way.Break() }
func (k behindKubectl) Mend()       { k.way.Mend(k.t) }

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
