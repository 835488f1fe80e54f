package kcm137

import (
	"context"
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
)

// watch wraps the controller's parts, so that workers begin one by one. It sorts the results of the two lookups
// that come in the order of a map.
func (p *rsPlayer) watch() {
	sync := field(p.rsc, "syncHandler").Interface().(func(context.Context, string) error)
	field(p.rsc, "syncHandler").Set(reflect.ValueOf(func(ctx context.Context, key string) error { return p.sync(ctx, key, sync) }))
	field(p.rsc, "podIndexer").Set(reflect.ValueOf(sortedIndexer{p.pods(), p.api.seen}))
	field(p.rsc, "rsLister").Set(reflect.ValueOf(sortedLister{p.factory.Apps().V1().ReplicaSets().Lister()}))
}

func (p *rsPlayer) pods() cache.Indexer { return p.factory.Core().V1().Pods().Informer().GetIndexer() }

func (p *rsPlayer) sets() cache.Indexer {
	return p.factory.Apps().V1().ReplicaSets().Informer().GetIndexer()
}

func byName(a, b meta.Object) int { return strings.Compare(a.GetName(), b.GetName()) }

// sortedIndexer has the pod that was seen last first: of pods that may as well be deleted, the controller deletes those
// that it reads first, and the engine those that it reads last.
type sortedIndexer struct {
	cache.Indexer
	seen map[string]int
}

func (i sortedIndexer) ByIndex(name, value string) ([]any, error) {
	all, err := i.Indexer.ByIndex(name, value)
	slices.SortFunc(all, func(a, b any) int { return i.seen[b.(meta.Object).GetName()] - i.seen[a.(meta.Object).GetName()] })
	return all, err
}

type sortedLister struct{ listers.ReplicaSetLister }

func (l sortedLister) GetPodReplicaSets(pod *core.Pod) ([]*apps.ReplicaSet, error) {
	all, err := l.ReplicaSetLister.GetPodReplicaSets(pod)
	slices.SortFunc(all, func(a, b *apps.ReplicaSet) int { return byName(a, b) })
	return all, err
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
	p.mu.Unlock()
	return sync(ctx, key)
}
