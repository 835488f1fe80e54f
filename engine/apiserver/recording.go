package apiserver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// recording is a Feed that can be read by the numbers of its records. It tells what was recorded, whatever
// a Playback is asked for.
type recording struct {
	feed    Feed
	table   *object.Table
	scratch []object.Ref // of amount
}

// nextRequest is when the recorded client sent its first request from record i on: actor.Never if it sent
// none before the watch went on. Known is false where more must be read to tell.
func (f *recording) nextRequest(i int) (at int64, known bool) {
	for ; i < f.feed.Len(); i++ {
		switch r := f.feed.At(i); r.Kind {
		case ListBegin, ListError, WatchOpen, WatchError:
			return r.At, true
		case WatchEvent, WatchBookmark, InitialEnd:
			if r.Delta != event.Error {
				return actor.Never, true // the watch went on
			}
		}
	}
	return actor.Never, f.feed.Complete()
}

// foreseen tells whether enough has been read after record i to know what
// nextRequest says there.
func (f *recording) foreseen(i int) bool {
	_, known := f.nextRequest(i)
	return known
}

// endedItself reports whether record i is the end of a watch by the recorded client, which asks
// for nothing more as far as the recording was read.
func (f *recording) endedItself(i int) bool {
	return i == f.feed.Len()-1 && f.feed.At(i).Canceled
}

// over tells whether the failure of record i was over when a request was sent at the time asked,
// because the recorded client had sent another request long before. Where that can't be told yet,
// known is false.
func (f *recording) over(i int, asked int64) (is, known bool) {
	before := asked - late
	if f.feed.At(i).At >= before {
		return false, true
	}
	for j := i + 1; j < f.feed.Len(); j++ {
		switch r := f.feed.At(j); {
		case r.At > before:
			return false, true
		case r.Kind == ListBegin || r.Kind == ListError || r.Kind == WatchOpen || r.Kind == WatchError:
			return true, true
		}
	}
	return false, f.feed.Complete() || f.feed.Now() > before
}

// failing tells whether the last record is a request that failed.
func (f *recording) failing() bool {
	n := f.feed.Len()
	if n == 0 {
		return false
	}
	k := f.feed.At(n - 1).Kind
	return k == ListError || k == WatchError
}

// afterError tells whether record i ends a watch that an ERROR event has ended.
func (f *recording) afterError(i int) bool {
	return i > 0 && f.feed.At(i-1).Delta == event.Error
}

// recorded collects the objects of the records between from and next.
func (f *recording) recorded(n plan) []object.Ref {
	list := make([]object.Ref, 0, n.next-n.from)
	for i := n.from; i < n.next; i++ {
		if r := f.feed.At(i); (r.Kind == ListItem || r.Kind == WatchEvent) && r.Failure != OtherKind {
			list = append(list, r.Obj)
		}
	}
	return list
}

// initialEnd returns the first record after i, but none beyond n, that is no
// initial event.
func (f *recording) initialEnd(i, n int) int {
	for i++; i < n; i++ {
		if r := f.feed.At(i); r.Kind != WatchEvent || r.Delta != event.Added {
			break
		}
	}
	return i
}

// listEnd returns the first record after i, but none beyond n, that is no item
// of a list.
func (f *recording) listEnd(i, n int) int {
	for i++; i < n && f.feed.At(i).Kind == ListItem; i++ {
	}
	return i
}

// streamed is for an open watch amid the initial events of a recorded streaming
// list, whose next record is pos. It tells with which record that list ends, and which
// of its objects are still to be sent.
func (f *recording) streamed(pos int) (upTo int, rest []object.Ref, amid bool) {
	open := pos - 1
	for open >= 0 && f.feed.At(open).Kind == WatchEvent && f.feed.At(open).Delta == event.Added {
		open--
	}
	if open < 0 || f.feed.At(open).Kind != WatchOpen || !f.feed.At(open).Streaming {
		return pos, nil, false
	}
	end := f.initialEnd(open, f.feed.Len())
	for i := pos; i < end; i++ {
		if r := f.feed.At(i); r.Failure != OtherKind {
			rest = append(rest, r.Obj)
		}
	}
	return min(end+1, f.feed.Len()), rest, true
}
