package e2e

import (
	"context"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/informerscope/informerscope/replay/internal/rounds"
	"github.com/informerscope/informerscope/replay/serve"
	"github.com/informerscope/informerscope/replay/trace"
)

// kubectl proxy --www=dist: the page is below /static/, and the cluster beside
// it. All that may happen to a watch happens, and is saved.
func TestPageAtStatic(t *testing.T) {
	t.Parallel()
	s := startServer(t, false)
	s.Create("a")
	s.Create("gone")
	proxy := s.startProxy(builtPage(t), "/static/", "/")
	b := openPage(t, proxy.URL+"/static/")
	b.chooseCluster("kubectl proxy", proxy.URL)
	b.watches(false)
	b.waitForKeys("shop/a", "shop/gone")
	s.Create("b")
	b.waitForKeys("shop/a", "shop/b", "shop/gone")
	newest := s.resize("a", 1).GetResourceVersion()
	b.waitForText(`[data-place="store/shop/a"]`, newest)
	b.counts(2)
	b.pauses(func() { s.Create("later") }, func() { s.Delete("b") }, "shop/a", "shop/gone", "shop/later")

	// The proxy is lost, and etcd forgets what happens meanwhile.
	proxy.Break()
	b.waitForText(`.streams`, "connection lost")
	b.wait(`document.querySelector('.strip .live-chip.stalled')`)
	b.waitForText(`.streams`, "again in")
	s.Delete("gone")
	s.Create("new")
	s.Compact()
	proxy.Mend(t)
	b.waitForText(`.streams`, "410")
	b.goesOn()
	b.waitForKeys("shop/a", "shop/later", "shop/new")
	if n := b.relists(); n != "1" {
		t.Errorf("after 410 it says %q relists", n)
	}
	s.Resize("new", 1)
	b.counts(6) // the ERROR is one of them

	name, r := b.saves()
	if !slices.ContainsFunc(r.Records, func(x trace.Record) bool { return x.Failure == trace.Expired }) || r.Lists != 2 {
		t.Errorf("saved as %s", rounds.Summary(r))
	}
	out, err := informerscope(t, "report", name, "--notifications").Output()
	if err != nil {
		t.Fatal(err)
	}
	calls := strings.Split(strings.TrimSpace(string(out)), "\n")
	if !slices.ContainsFunc(calls, func(c string) bool {
		return strings.Contains(c, `"OnDelete"`) && strings.Contains(c, `"shop/gone"`) && strings.Contains(c, `"tombstone":true`)
	}) {
		t.Errorf("no tombstone among the calls:\n%s", out)
	}
}

// kubectl proxy --www=dist --www-prefix=/ --api-prefix=/k8s/: a streaming list,
// and a proxy that comes back before anything is forgotten.
func TestPageAtRoot(t *testing.T) {
	t.Parallel()
	s := startServer(t, true)
	s.Create("a")
	s.Create("b")
	proxy := s.startProxy(builtPage(t), "/", "/k8s/")
	b := openPage(t, proxy.URL+"/")
	b.chooseCluster("kubectl proxy", proxy.URL+"/k8s")
	b.watches(true)
	b.waitForKeys("shop/a", "shop/b")
	b.counts(3) // with the bookmark that ends them
	s.Delete("b")
	b.waitForKeys("shop/a")
	b.pauses(func() { s.Create("c") }, func() { s.Resize("c", 1) }, "shop/a", "shop/c")

	proxy.Break()
	b.waitForText(`.streams`, "connection lost")
	s.Create("missed")
	proxy.Mend(t)
	b.goesOn()
	b.waitForKeys("shop/a", "shop/c", "shop/missed")
	if n := b.relists(); n != "0" {
		t.Errorf("it says %q relists, and nothing was missed", n)
	}
	_, r := b.saves()
	if got, want := bookmarks.ReplaceAllString(rounds.Summary(r), ""), "WatchOpen, ADDED shop/a, ADDED shop/b, InitialEnd, DELETED shop/b, ADDED shop/c, "; !strings.HasPrefix(got, want) || !r.Records[0].Streaming {
		t.Errorf("saved as %s, want %s…", got, want)
	}
}

// bookmarks come when the server likes.
var bookmarks = regexp.MustCompile(`, WatchBookmark`)

// pageKey is what startServing wants of who reads the cluster.
const pageKey = "a key of e2e"

// startServing does as informerscope serve does with the page, in front of a
// cluster, at a port; 0 is a free one. What it returns stops it.
func startServing(t *testing.T, cluster string, port int) (address *net.TCPAddr, stop func()) {
	t.Helper()
	u, err := url.Parse(cluster)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(builtPage(t))
	if err != nil {
		t.Fatal(err)
	}
	handler, err := serve.Proxy(serve.Cluster{Server: u, Context: "e2e", Key: pageKey}, serve.Static(root))
	if err != nil {
		t.Fatal(err)
	}
	l, err := serve.Listen(port)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve.Run(ctx, l, handler) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		root.Close()
	})
	t.Cleanup(stop)
	return l.Addr().(*net.TCPAddr), stop
}

// informerscope serve: the page, and a proxy that only reads, in front of
// kubectl's.
func TestPageOfServe(t *testing.T) {
	t.Parallel()
	s := startServer(t, true)
	s.Create("a")
	kubectl := s.startProxy("", "", "/")
	own, stop := startServing(t, kubectl.URL, 0)
	b := openPage(t, "http://"+own.String()+"/"+serve.Cluster{Key: pageKey}.KeyPath())
	b.chooseCluster("informerscope serve", kubectl.URL)
	b.waitForText(`dialog[open] .facts`, "e2e")
	b.watches(false)
	b.waitForKeys("shop/a")
	s.Create("b")
	b.waitForKeys("shop/a", "shop/b")
	s.Resize("b", 1)
	s.Delete("a")
	b.waitForKeys("shop/b")
	b.pauses(func() { s.Create("c") }, func() { s.Delete("b") }, "shop/c")

	// The cluster is lost behind it.
	kubectl.Break()
	b.waitForText(`.streams`, "server error")
	s.Create("d")
	kubectl.Mend(t)
	b.goesOn()
	b.waitForKeys("shop/c", "shop/d")

	// And it is itself.
	stop()
	b.waitForText(`.streams`, "connection lost")
	s.Delete("c")
	startServing(t, kubectl.URL, own.Port)
	b.goesOn()
	b.waitForKeys("shop/d")
	_, r := b.saves()
	if got, want := bookmarks.ReplaceAllString(rounds.Summary(r), ""), "ListBegin, item shop/a, ListEnd, WatchOpen, ADDED shop/b, MODIFIED shop/b, DELETED shop/a, ADDED shop/c, DELETED shop/b, "; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "DELETED shop/c") {
		t.Errorf("saved as %s, want %s…", got, want)
	}
}
