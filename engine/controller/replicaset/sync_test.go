package replicaset

import (
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/object"
)

// bench is a controller with caches that hold what a test says.
type bench struct {
	t    *object.Table
	c    *Controller
	set  ReplicaSet
	pods []Pod
	read [2]object.RV
}

func newBench(replicas int32) *bench {
	t := object.NewTable(nil)
	app := t.LabelSet([]object.Label{{Name: t.Sym("app"), Value: t.Sym("a")}})
	b := &bench{t: t, c: New(t, Options{Burst: 500, CountsTerminating: true})}
	b.set = ReplicaSet{Key: t.Key("ns/a"), Name: t.Sym("a"), UID: t.Sym("u1"), RV: t.RV("100"), Generation: 1, Replicas: replicas, Selector: app, Template: app}
	b.read = [2]object.RV{t.RV("100"), t.RV("100")}
	return b
}

func (b *bench) LastStoreSyncResourceVersion(r consistency.Resource) (object.RV, bool) {
	return b.read[r], true
}

func (b *bench) ReplicaSet(k object.Key) (ReplicaSet, bool) { return b.set, k == b.set.Key }

func (b *bench) EachReplicaSet(visit func(ReplicaSet)) { visit(b.set) }

func (b *bench) EachPod(visit func(Pod)) {
	for _, p := range b.pods {
		visit(p)
	}
}

// pod adds a pod to the cache: with an owner, unless that is "".
func (b *bench) pod(name, owner string) *Pod {
	p := Pod{Key: b.t.Key("ns/" + name), UID: b.t.Sym(name), RV: b.t.RV("90"), Labels: b.set.Selector}
	if owner != "" {
		p.OwnerName, p.OwnerUID = b.set.Name, b.t.Sym(owner)
	}
	b.pods = append(b.pods, p)
	return &b.pods[len(b.pods)-1]
}

// asks writes what a sync waits for.
func (b *bench) asks(s *Sync) string {
	var all []string
	for _, q := range s.Requests {
		text := [...]string{"get", "adopt", "release", "create", "delete", "status"}[q.Verb]
		if q.Pod.Key != 0 {
			text += " " + strings.TrimPrefix(b.t.KeyText(q.Pod.Key), "ns/")
		}
		if q.Verb == UpdateStatus {
			text += fmt.Sprintf(" %d/%d/%d", q.Owner.Status.Replicas, q.Owner.Status.Ready, q.Owner.Status.Terminating)
		}
		all = append(all, text)
	}
	switch {
	case s.Pauses:
		all = append(all, "pause")
	case s.Done():
		all = append(all, "done")
	}
	return strings.Join(all, ", ")
}

// walk plays a sync and answers everything with success, but requests of one verb.
func (b *bench) walk(s *Sync, fails Verb, how Failure) (said []string) {
	for {
		said = append(said, b.asks(s))
		if s.Done() {
			return said
		}
		for i := range s.Requests {
			q := &s.Requests[i]
			q.Answer.Owner, q.Answer.Pod = q.Owner, q.Pod
			if q.Verb == GetOwner {
				q.Answer.Owner = b.set
			}
			if q.Verb == fails {
				q.Answer.Failure, q.Answer.Err = how, 7
			}
		}
		b.c.Continue(s, 5*second)
	}
}

func TestSync(t *testing.T) {
	for _, c := range []struct {
		name     string
		replicas int32
		setUp    func(b *bench)
		fails    Verb
		how      Failure
		want     string
	}{
		{"slow start", 8, func(*bench) {}, 0, OK, "create; create, create; create, create, create, create; create; status 0/0/0; done"},
		{"a create fails", 8, func(*bench) {}, CreatePod, OtherFailure, "create; status 0/0/0; done"},
		{"the namespace ends", 2, func(*bench) {}, CreatePod, NamespaceTerminating, "create; create; status 0/0/0; done"},
		{"adopts, and deletes what isn't ready", 1, func(b *bench) { b.pod("a-1", "u1").Ready = true; b.pod("o", "") }, 0, OK,
			"get; adopt o; pause; delete o; status 2/1/0; done"},
		{"an orphan is gone", 1, func(b *bench) { b.pod("a-1", "u1"); b.pod("o", "") }, AdoptPod, NotFound, "get; adopt o; status 1/0/0; done"},
		{"a patch fails", 1, func(b *bench) { b.pod("a-1", "u1"); b.pod("o", "") }, AdoptPod, OtherFailure, "get; adopt o; done"},
		{"releases", 0, func(b *bench) { b.pod("a-1", "u1").Labels = 0 }, 0, OK, "release a-1; status 0/0/0; done"},
		{"another's pod", 0, func(b *bench) { b.pod("a-1", "u9") }, 0, OK, "status 0/0/0; done"},
		{"a pod ends", 0, func(b *bench) { b.pod("a-1", "u1").Deleting = true }, 0, OK, "status 0/0/1; done"},
		{"is being deleted", 3, func(b *bench) { b.set.Deleting = true; b.pod("o", "") }, 0, OK, "status 0/0/0; done"},
		{"the status fails twice", 0, func(*bench) {}, UpdateStatus, OtherFailure, "status 0/0/0; get; status 0/0/0; done"},
		{"is behind", 0, func(b *bench) { b.c.Consistency.WroteAt(b.set.Key, b.set.UID, Pods, b.t.RV("200")) }, 0, OK, "done"},
		{"expects", 3, func(b *bench) { b.c.Expectations.ExpectCreations(b.set.Key, 1, 0) }, 0, OK, "status 0/0/0; done"},
	} {
		b := newBench(c.replicas)
		c.setUp(b)
		fails := c.fails
		if c.how == OK {
			fails = 99
		}
		if got := strings.Join(b.walk(b.c.Begin(b.set.Key, b, 5*second), fails, c.how), "; "); got != c.want {
			t.Errorf("%s: it asks for\n%s, want\n%s", c.name, got, c.want)
		}
	}
}
