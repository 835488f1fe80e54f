package says

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/wasm/link"
)

// Actor returns the page's name of a goroutine.
func Actor(set *actor.Set, id actor.ID) string {
	if id == actor.Nobody {
		return link.ActorNobody
	}
	r := set.Role(id)
	switch r.Kind {
	case actor.Pop, actor.Run, actor.Worker:
		return r.Kind.String() + "/" + strconv.Itoa(int(r.Index))
	}
	return r.Kind.String()
}

// reason returns why a list, a watch or an event of the last step failed, in the words of the
// server where it said something.
func reason(x *informer.Informer, e event.Event) link.Arg {
	switch e.Kind {
	case event.WriteAnswered, event.LeaseRefused:
		return link.Arg{Kind: "text", V: strconv.Itoa(e.Code())}
	case event.WatchEventSkipped, event.NextSpoilt:
		return link.Arg{Kind: "word", V: skipReasons[e.Skip()]}
	case event.CallRefused:
		return link.Arg{Kind: "word", V: refusals[e.Refused()]}
	}
	failure := apiserver.Failure(e.Failure())
	if failure == apiserver.ListedAnew {
		return *Failed(failure)
	}
	if text := x.Server.View(0, 0).Message; text != "" {
		return link.Arg{Kind: "text", V: strings.TrimSuffix(text, ".")} // the sentence that it ends has a full stop of its own
	}
	if failure != apiserver.NoFailure && (e.Code() == 0 || e.Cause == event.Undecodable) { // then the code is client-go's own
		return *Failed(failure)
	}
	return link.Arg{Kind: "text", V: strconv.Itoa(e.Code())}
}

// Failed names a failure that the server didn't explain. An answer is named by
// the reason of its Status.
func Failed(f apiserver.Failure) *link.Arg {
	if word := failures[f]; word != "" {
		return &link.Arg{Kind: "word", V: word}
	}
	return &link.Arg{Kind: "text", V: f.String()}
}

// noKey and these are the reasons in the catalogues, under "reason.": why something was skipped or
// refused, or failed.
const noKey = "noKey"

var (
	failures = [...]string{
		apiserver.Refused: "refused", apiserver.Reset: "reset", apiserver.OtherFailure: "otherFailure", apiserver.BrokenOff: "brokenOff", apiserver.TimedOut: "timedOut",
		apiserver.ConnectionLost: "connectionLost", apiserver.Undecodable: "undecodable", apiserver.ListedAnew: "listedAnew", apiserver.OtherKind: "expectedType", apiserver.TooSlow: "tooSlow", apiserver.OtherShard: "otherShard",
	}
	skipReasons = [...]string{
		event.SkipNoMeta: "noMeta", event.SkipExpectedType: "expectedType", event.SkipUnknownType: "unknownType", event.SkipTransform: "transform",
	}
	refusals = [...]string{
		event.RunTwice: "runTwice", event.AddHandlerStopped: "addHandlerStopped", event.AddIndexersLate: "addIndexersLate",
		event.IndexerConflict: "indexerConflict",
	}
)
