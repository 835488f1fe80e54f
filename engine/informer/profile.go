package informer

import (
	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// Profile says what client-go's versions do differently. The engine has one code for all versions, and a Profile chooses among its branches.
type Profile struct {
	Name     string // as scripts and the page call it
	Versions string // of client-go
	Summary  string // the catalogues' id of a sentence that says what it changed

	InOrder   bool // RealFIFO and not DeltaFIFO (InOrderInformers, from v0.33)
	Queue     fifo.Options
	RealFIFO  fifo.RealOptions
	Indexer   indexer.Gates
	Reflector reflector.Config
	Request   request.Config
	Election  election.Gates

	Batch          bool // PopBatch (InOrderInformersBatchProcess, from v0.35)
	StopsAtOnce    bool // the process loop leaves in the queue what is there at a stop (from v0.34)
	RunsOnce       bool // another call of Run does nothing but complain (from v0.23)
	SyncByRV       bool // a notification is a sync if the resourceVersion is the same, whatever the delta's type (from v0.24)
	InitialList    bool // isInInitialList, and handlers with a HasSynced of their own (from v0.27)
	TransformsLate bool // the process function transforms, and not the queue (up to v0.24.12, v0.25.8 and v0.26.3)
	Registrations  bool // handlers can be removed, and none added after a stop without an error (from v0.26)
	LateIndexers   bool // AddIndexers works until the stop (from v0.30)
	ListsStopped   bool // a Run whose stop channel is closed asks for a list all the same (from v0.36)
	LatchedSync    bool // HasSynced is a channel that a goroutine of the informer closes (from v0.36)

	// AwaitsListeners tells that distribute gives listenersLock back while the listeners'
	// goroutines don't run, and doesn't keep it in a send to them (from v0.36).
	AwaitsListeners bool
}

// newQueue makes the informer's queue.
func newQueue(t *object.Table, p *Profile, known fifo.KnownObjects, transform fifo.TransformFunc) fifo.Queue {
	if p.TransformsLate {
		transform = nil
	}
	if !p.InOrder {
		opts := p.Queue
		opts.KnownObjects, opts.Transform = known, transform
		return fifo.NewDeltaFIFO(t, opts)
	}
	opts := p.RealFIFO
	opts.Transform = transform
	if !opts.Atomic {
		opts.KnownObjects = known
	}
	return fifo.NewRealFIFO(t, opts)
}

// copyQueue makes dst, if it is of the same kind, equal to src, or else a new
// queue, and returns it.
func copyQueue(dst, src fifo.Queue, known fifo.KnownObjects) fifo.Queue {
	switch src := src.(type) {
	case *fifo.DeltaFIFO:
		d, ok := dst.(*fifo.DeltaFIFO)
		if !ok {
			d = new(fifo.DeltaFIFO)
		}
		d.CopyFrom(src)
		if src.KnownObjects() != nil {
			d.SetKnownObjects(known)
		}
		return d
	case *fifo.RealFIFO:
		d, ok := dst.(*fifo.RealFIFO)
		if !ok {
			d = new(fifo.RealFIFO)
		}
		d.CopyFrom(src)
		if !src.Atomic() {
			d.SetKnownObjects(known)
		}
		return d
	}
	panic("informer: a queue of no known kind")
}
