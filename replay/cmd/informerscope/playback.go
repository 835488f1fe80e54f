package main

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/replay/trace"
)

// feed lets the engine read a resource of a trace.
type feed struct{ r *trace.Resource }

func (f feed) Len() int       { return len(f.r.Records) }
func (f feed) Complete() bool { return true }

func (f feed) At(i int) apiserver.Record {
	r := &f.r.Records[i]
	out := apiserver.Record{
		At: r.At, RV: r.RV, Obj: r.Obj, Code: r.Code, Kind: recordKinds[r.Kind], Delta: deltas[r.Type], Failure: failures[r.Failure], Streaming: r.Streaming,
	}
	if r.Kind == trace.WatchBookmark || r.Kind == trace.InitialEnd {
		out.Delta = event.Bookmark
	}
	return out
}

// What the trace's words are in the engine's.
var (
	recordKinds = [...]apiserver.RecordKind{
		trace.ListBegin: apiserver.ListBegin, trace.ListItem: apiserver.ListItem, trace.ListEnd: apiserver.ListEnd, trace.ListError: apiserver.ListError,
		trace.WatchOpen: apiserver.WatchOpen, trace.WatchError: apiserver.WatchError, trace.WatchEvent: apiserver.WatchEvent,
		trace.WatchBookmark: apiserver.WatchBookmark, trace.InitialEnd: apiserver.InitialEnd, trace.WatchEnd: apiserver.WatchEnd,
	}
	deltas = [...]event.Delta{
		trace.NoType: event.None, trace.TypeAdded: event.Added, trace.TypeModified: event.Updated, trace.TypeDeleted: event.Deleted,
		trace.TypeError: event.Error, trace.TypeUnknown: event.Unknown,
	}
	failures = [...]apiserver.Failure{
		trace.NoFailure: apiserver.NoFailure, trace.Expired: apiserver.Expired, trace.Gone: apiserver.Gone, trace.TooLarge: apiserver.TooLarge,
		trace.TooManyRequests: apiserver.TooManyRequests, trace.InternalError: apiserver.InternalError, trace.Refused: apiserver.Refused,
		trace.Reset: apiserver.Reset, trace.OtherFailure: apiserver.OtherFailure,
	}
)
