package apiserver

import "github.com/informerscope/informerscope/engine/object"

// Server is the port between an informer's reflector and whatever answers it:
// one connection, on which one request is pending at a time. Playback is one; a
// simulated server gives one to each informer. The code above it needn't know
// which server answers.
type Server interface {
	// List and Watch send a request at the time now, in nanoseconds. Nothing
	// else is pending then.
	List(o object.ListOptions, now int64)
	Watch(o object.ListOptions, now int64)

	// Due returns when the pending answer arrives, or the next thing on an open
	// stream: actor.Never if nothing will by itself. ok is false where the recording
	// hasn't been read far enough to tell. Then nothing arrives before at, and the
	// world waits there. A command that makes the server send something calls
	// Informer.Poll afterwards.
	Due() (at int64, ok bool)
	// Take returns what Due announced. After Closed, ListFailed, OpenFailed and
	// Listed nothing is pending any more; after an ERROR event the client calls
	// Hangup.
	Take() Answer

	// Hangup is the client that stops its watch, or gives up a request.
	Hangup()
	// Cut breaks an open watch: the client sees its end at once.
	Cut()
	// State tells what the connection does.
	State() State
	// View describes the server to an observer, with up to past and coming watch events on either side.
	View(past, coming int) View

	// Known is the time in nanoseconds up to which it is known what comes by
	// itself: a recording may still be read.
	Known() int64
	// Retried tells whether its failures are the ones that rest.Request gives to the
	// reflector, after its own retries. Otherwise each is the failure of a single try.
	Retried() bool
	// Quiet tells whether only bookmarks and the stream's end come, until somebody
	// writes something to the server.
	Quiet() bool
	// NextRequest is when the recorded client sent its next request, after an answer
	// that made it send one; ok is false if it sent none, or none was recorded.
	NextRequest() (at int64, ok bool)

	// Dial returns another connection to the same server, with nothing pending.
	Dial() Server

	// CopyTo makes dst, if it is of the same kind, equal to the server, or else
	// a new one, and returns it. Both can be used on.
	CopyTo(dst Server) Server
}

var _ Server = (*Playback)(nil)

// CopyTo makes dst, if it is a Playback, equal to p, or else a new one.
func (p *Playback) CopyTo(dst Server) Server {
	c, ok := dst.(*Playback)
	if !ok {
		c = new(Playback)
	}
	scratch := c.rec.scratch
	*c = *p
	c.rec.scratch = scratch
	return c
}

// Known is the time up to which the recording has been read.
func (p *Playback) Known() int64 { return p.rec.feed.Now() }

// Retried tells whether the recording was made above rest.Request.
func (p *Playback) Retried() bool { return p.rec.feed.Retried() }

// Quiet reports false: nothing can be written to a recording.
func (p *Playback) Quiet() bool { return false }

// Dial returns a playback of the same recording from its beginning. The
// recording is of one connection, so a later client gets everything that is
// past at once.
func (p *Playback) Dial() Server { return NewPlayback(p.rec.table, p.rec.feed, p.versions) }
