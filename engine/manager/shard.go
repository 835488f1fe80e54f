package manager

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// Shard returns the shard of a process, which each of its informers has.
func (m *Manager) Shard(replica int) object.Shard {
	return m.Informers[replica*int(m.Set.Apart)].Config().Shard
}

// CanReshard reports whether a process can be given another shard.
func (m *Manager) CanReshard(s object.Shard, after int64) bool {
	return m.Election.Sharded && !s.Empty() && after >= 0
}

// Reshard asks the process of a replica to end. It begins again some time later, ns, with another shard: a selector can't
// be set once an informer has started.
func (d Driver) Reshard(replica int, s object.Shard, after int64) {
	d.eachOf(replica, func(x *informer.Informer) { x.Reshard(s) })
	d.Log.Emit(event.Event{Kind: event.ReplicaResharded, N: after})
	d.exit(replica, after)
}

// Holders returns how many informers of informer i's resource hold an object, those of all processes that run.
func (m *Manager) Holders(i int, k object.Key) (n int) {
	for j, x := range m.Informers {
		if _, has := x.Indexer.GetByKey(k); has && x.Config().Table == m.Informers[i].Config().Table && m.runs(j) {
			n++
		}
	}
	return n
}

// Workers returns how many workers of the controllers of informer i's resource have a key in hand, in all processes that
// run.
func (m *Manager) Workers(i int, k object.Key) (n int) {
	for j, x := range m.Informers {
		if x.Config().Table != m.Informers[i].Config().Table || !m.runs(j) {
			continue
		}
		for w := range x.Work.Workers {
			if x.Work.Workers[w].Key == k && k != 0 {
				n++
			}
		}
	}
	return n
}

// runs reports whether the process of an informer runs.
func (m *Manager) runs(informer int) bool {
	return m.Informers[informer].Crash() == nil && (m.Election == nil || m.Alive(m.Replica(informer)))
}
