package kcm137

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	listers "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/kubernetes/pkg/controller/util/consistency"
)

// watch wraps the controller's parts, so that their calls are written down. It sorts the results of the two lookups
// that come in the order of a map.
func (p *rsPlayer) watch() {
	sync := field(p.rsc, "syncHandler").Interface().(func(context.Context, string) error)
	field(p.rsc, "syncHandler").Set(reflect.ValueOf(func(ctx context.Context, key string) error { return p.sync(ctx, key, sync) }))
	queue := field(p.rsc, "queue").Interface().(workqueue.TypedRateLimitingInterface[string])
	field(p.rsc, "queue").Set(reflect.ValueOf(&rsQueue{queue, p}))
	field(p.rsc, "podIndexer").Set(reflect.ValueOf(sortedIndexer{p.pods()}))
	field(p.rsc, "rsLister").Set(reflect.ValueOf(sortedLister{p.factory.Apps().V1().ReplicaSets().Lister()}))
}

func (p *rsPlayer) pods() cache.Indexer { return p.factory.Core().V1().Pods().Informer().GetIndexer() }

func (p *rsPlayer) sets() cache.Indexer {
	return p.factory.Apps().V1().ReplicaSets().Informer().GetIndexer()
}

func byName(a, b meta.Object) int { return strings.Compare(a.GetName(), b.GetName()) }

type sortedIndexer struct{ cache.Indexer }

func (i sortedIndexer) ByIndex(name, value string) ([]any, error) {
	all, err := i.Indexer.ByIndex(name, value)
	slices.SortFunc(all, func(a, b any) int { return byName(a.(meta.Object), b.(meta.Object)) })
	return all, err
}

type sortedLister struct{ listers.ReplicaSetLister }

func (l sortedLister) GetPodReplicaSets(pod *core.Pod) ([]*apps.ReplicaSet, error) {
	all, err := l.ReplicaSetLister.GetPodReplicaSets(pod)
	slices.SortFunc(all, func(a, b *apps.ReplicaSet) int { return byName(a, b) })
	return all, err
}

// rsQueue writes down what is done to the controller's queue.
type rsQueue struct {
	workqueue.TypedRateLimitingInterface[string]
	p *rsPlayer
}

func (q *rsQueue) Add(key string) {
	q.p.say("queue.Add %s", key)
	q.TypedRateLimitingInterface.Add(key)
}

func (q *rsQueue) AddAfter(key string, after time.Duration) {
	q.p.say("queue.AddAfter %s %s", key, after.Round(time.Millisecond))
	q.TypedRateLimitingInterface.AddAfter(key, after)
}

func (q *rsQueue) AddRateLimited(key string) {
	n := q.NumRequeues(key)
	q.p.say("queue.AddRateLimited %s failure #%d (back-off %s)", key, n+1, min(5*time.Millisecond<<min(n, 20), 1000*time.Second))
	q.TypedRateLimitingInterface.AddRateLimited(key)
}

func (q *rsQueue) Forget(key string) {
	if n := q.NumRequeues(key); n > 0 {
		q.p.say("queue.Forget %s after %d failures", key, n)
	}
	q.TypedRateLimitingInterface.Forget(key)
}

// soon is when the next worker begins its sync.
func (p *rsPlayer) soon() (at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.starts {
		if at.IsZero() || t.Before(at) {
			at = t
		}
	}
	return at
}

// sync begins a sync some nanoseconds later, when everything else is quiet. The key has the last six bits of that time, so
// that two keys never begin at once.
func (p *rsPlayer) sync(ctx context.Context, key string, sync func(context.Context, string) error) error {
	now := time.Now()
	at := now.Add(time.Duration(1 + (int64(key[len(key)-1])-now.UnixNano()-1)&0x3f))
	p.mu.Lock()
	p.starts = append(p.starts, at)
	p.mu.Unlock()
	proof.Pass(time.Until(at))
	p.mu.Lock()
	i := slices.Index(p.starts, at)
	p.starts = slices.Delete(p.starts, i, i+1)
	p.syncs++
	n := p.syncs
	p.mu.Unlock()
	p.say("sync #%d begin %s cachePods=%d", n, key, len(p.pods().List()))
	stale := staleOf(p.store(), p.stores(), owner(key))
	err := sync(ctx, key)
	result := "ok"
	if behind := new(consistency.ConsistencyError); errors.As(err, &behind) {
		if result = "STALE " + strings.Join(stale, ", "); len(stale) != 1 {
			result = "STALE any of [" + strings.Join(stale, ", ") + "]"
		}
	} else if err != nil {
		result = "ERR " + rsError(err)
	}
	p.say("sync #%d end %s: %s", n, key, result)
	return err
}
