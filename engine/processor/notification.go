package processor

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Notification is client-go's addNotification, updateNotification or
// deleteNotification.
type Notification struct {
	Key      object.Key
	Old, New object.Ref // Old: of updates and deletions; New: of adds and updates. A tombstone's Old may be 0
	Type     Type
	Cause    event.Cause // FromWatch, FromList, FromResync or FromCache
	Flags    event.Flags // Tombstone: Old is wrapped in one. IsSync: it goes to syncing listeners only. IsInInitialList: New was in the cache, or on its way there, before the listener could see changes
}

// Type of a [Notification]. The zero Type is no notification.
type Type uint8

const (
	Add    = Type(event.Added)
	Update = Type(event.Updated)
	Delete = Type(event.Deleted)
)

func (t Type) String() string { return [...]string{"", "OnAdd", "OnUpdate", "OnDelete"}[t] }

// chunkLen is how many notifications lie in one chunk.
const chunkLen = 256

// chunk is a part of pendingNotifications. Full chunks are never written to again,
// so copies of a world share them.
type chunk [chunkLen]Notification

// initialRing is the capacity that pendingNotifications begins with.
const initialRing = 1024

// pending is pendingNotifications, an unbounded buffer.RingGrowing. It is kept in
// chunks: a slow handler can fall hundreds of thousands of notifications behind,
// and copying a world must be cheap even then.
type pending struct {
	chunks []*chunk
	head   int  // index of the first one in chunks[0]
	n      int  // how many
	ring   int  // the capacity that the real ring would have by now
	shared bool // the last chunk may belong to another copy as well
}

func (p *pending) push(x Notification) {
	at := p.head + p.n
	switch i := at / chunkLen; {
	case i == len(p.chunks):
		p.chunks = append(p.chunks, new(chunk))
		p.shared = false
	case p.shared:
		copied := *p.chunks[i]
		p.chunks[i] = &copied
		p.shared = false
	}
	p.chunks[at/chunkLen][at%chunkLen] = x
	p.n++
	for p.n > p.ring {
		p.ring *= 2
	}
}

func (p *pending) pop() (Notification, bool) {
	if p.n == 0 {
		return Notification{}, false
	}
	x := p.chunks[0][p.head]
	p.head++
	p.n--
	switch {
	case p.n == 0 && len(p.chunks) == 1:
		p.head = 0
	case p.head == chunkLen:
		p.head = 0
		p.chunks = p.chunks[:copy(p.chunks, p.chunks[1:])]
	}
	return x, true
}

func (p *pending) at(i int) *Notification {
	i += p.head
	return &p.chunks[i/chunkLen][i%chunkLen]
}

// copyFrom makes p equal to src. The chunks are shared from now on.
func (p *pending) copyFrom(src *pending) {
	src.shared = true
	p.chunks = append(p.chunks[:0], src.chunks...)
	p.head, p.n, p.ring, p.shared = src.head, src.n, src.ring, true
}

// Hash adds the notification.
func (n *Notification) Hash(h *actor.Hash) {
	h.Add(uint64(n.Type))
	if n.Type == 0 {
		return
	}
	h.Add(uint64(uint32(n.Old))<<32 | uint64(uint32(n.New)))
	h.Add(uint64(n.Key))
	h.Add(uint64(n.Flags)<<8 | uint64(n.Cause))
}

// Mark adds the objects that the notification is about.
func (n *Notification) Mark(live *object.Live) {
	live.Key(n.Key)
	live.Ref(n.Old)
	live.Ref(n.New)
}
