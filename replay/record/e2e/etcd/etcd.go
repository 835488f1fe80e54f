// Package etcd starts an etcd for tests. It is not a test file, because tests of two modules use it.
package etcd

import (
	"net"
	"net/url"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
)

// Start starts an etcd of one member, which ends with the test, and returns its address.
func Start(t testing.TB) string {
	t.Helper()
	c := embed.NewConfig()
	c.Dir = t.TempDir()
	c.ZapLoggerBuilder = embed.NewZapLoggerBuilder(zap.NewNop())
	free := func() url.URL {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return url.URL{Scheme: "http", Host: l.Addr().String()}
	}
	peer, client := free(), free()
	c.ListenPeerUrls, c.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	c.ListenClientUrls, c.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	c.InitialCluster = c.InitialClusterFromName(c.Name)
	c.UnsafeNoFsync = true
	e, err := embed.StartEtcd(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	select {
	case <-e.Server.ReadyNotify():
	case err := <-e.Err():
		t.Fatal(err)
	case <-time.After(time.Minute):
		t.Fatal("etcd is never ready")
	}
	return client.String()
}

// Compact makes an etcd forget all but the newest revision.
func Compact(t testing.TB, client *clientv3.Client) {
	t.Helper()
	now, err := client.Get(t.Context(), "x")
	if err == nil {
		_, err = client.Compact(t.Context(), now.Header.Revision, clientv3.WithCompactPhysical())
	}
	if err != nil {
		t.Fatal(err)
	}
}
