// Package said says findings in English. The page says them in its languages; its English catalogue has the same texts.
package said

import (
	"strings"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/sentence"
)

// Texts are those of the findings, by the ID: what was found, and under ID.title and ID.instead its name in a
// few words, and what helps.
var Texts = map[string]string{
	"atLeast":  "at least {value}",
	"bookmark": "a bookmark",
	"fields":   "Mostly {fields} changed.",
	"takes":    "Most of it is {fields}.",

	// Why a client lists, as a part of a sentence.
	"reason." + findings.Expired:        "the resourceVersion was too old (410)",
	"reason." + findings.WatchError:     "an error came on the watch",
	"reason." + findings.VeryShortWatch: "the watch ended within a second with nothing on it",
	"reason." + findings.WatchRefused:   "the watch was refused",
	"reason." + findings.WatchClosed:    "the watch had ended",
	"reason." + findings.Undecodable:    "what came on the watch couldn't be decoded",

	"tombstone": "It got a DeletedFinalStateUnknown: the deletion was noticed by a list, and the object is as the cache had it last.",
	"last":      "The recording ends with it. client-go lets a panic end the process, unless the program has set otherwise.",
	"unknown":   "Calls were left out of the recording, so it may have returned.",
	"waits":     "These controllers have keys on their workqueues and have taken none yet: {fields}.",
	"lost":      "The answer to a create was lost, though the API server had carried it out.",

	"handler-panic":         "Handler {handler} of {resource} panicked in {fn}, first for {key}; {calls} {calls|one:call|other:calls} in all.",
	"handler-panic.title":   "A handler panicked",
	"handler-panic.instead": "A type assertion on the object is the usual cause: OnDelete may get a cache.DeletedFinalStateUnknown, whose Obj is the object. client-go ends the process by default.",

	"events-missing":         "The watch of {resource} lacks {events} {events|one:event|other:events}: the first is of {key}, which is changed or deleted without having been there, or had another uid. The cache is wrong until the next list.",
	"events-missing.title":   "The watch lacks events",
	"events-missing.instead": "The API server sends each change. Look for a proxy between the two that drops or reorders events.",

	"versions-back":         "{events} {events|one:event|other:events} of {resource} came with a resourceVersion that is lower than one before; the first is of {key}.",
	"versions-back.title":   "resourceVersions go back",
	"versions-back.instead": "The API server sends changes in their order. Look for etcd that was restored from a backup, or an address that leads to two clusters.",

	"stuck-handler":         "Handler {handler} of {resource} was called by {fn} for {key}, and had not returned after {ran}.",
	"stuck-handler.title":   "A handler doesn't return",
	"stuck-handler.instead": "A stack trace of the process shows what it waits for: a lock, a channel, an answer without a timeout. All later notifications of this handler wait; other handlers go on.",

	"silent-watch":         "A watch of {resource} was silent for {silent}, without a bookmark; {times} {times|one:time|other:times} in all.",
	"silent-watch.title":   "A watch is silent",
	"silent-watch.instead": "The API server sends a bookmark about once a minute. The connection is probably half open: a balancer has dropped it, or a proxy holds back what is sent. informerscope doctor compares the ways to a cluster.",

	"slow-handler":         "Handler {handler} of {resource} was called {late} after a change had come, since its own calls take {mean} on average. {calls} {calls|one:call was|other:calls were} late by more than a second, and {waiting} {waiting|one:change was|other:changes were} waiting.",
	"slow-handler.title":   "A handler is slow",
	"slow-handler.instead": "Let the handler put the key on a workqueue and return. Nobody else waits for it, but its buffer grows, and what it knows is old.",

	"relist-news":         "{changes} {changes|one:change|other:changes} of {resource} came only with {lists} {lists|one:list|other:lists}, because no watch was open: {created} created, {changed} changed, {deleted} deleted. The handlers got to know of them up to {blind} late.",
	"relist-news.title":   "Changes came only with a list",
	"relist-news.instead": "What was deleted comes as a tombstone (DeletedFinalStateUnknown), and several changes of an object come as one. See to it that the handlers cope with both, and find out why the watch was away.",

	"relists":         "{resource} was listed again {relists} {relists|one:time|other:times} within {span}. Most often, {reason}. The lists brought {items} {items|one:object|other:objects}, {bytes} of JSON.",
	"relists.title":   "The client lists again and again",
	"relists.instead": "A list costs the API server more than anything else that an informer asks for. Look at what ends the watch before each of them.",

	"short-watches":         "{watches} {watches|one:watch|other:watches} of {resource} ended within {span}, the shortest after {shortest} and the longest after {longest}. A reflector asks for five to ten minutes.",
	"short-watches.title":   "Watches end too early",
	"short-watches.instead": "Look for a proxy or a load balancer that ends connections, and for a client that reads so slowly that the API server gives it up. informerscope doctor compares the ways to a cluster.",

	"same-watch":         "{watches} {watches|one:watch|other:watches} of {resource} with one URL were open at the same time. Each is sent every change, and has a cache of its own.",
	"same-watch.title":   "Several watches of one URL",
	"same-watch.instead": "Share one informer, as a SharedInformerFactory does. If their number grows, something makes an informer again and again and stops none.",

	"hot-key":         "{key} of {resource} changed {changes} {changes|one:time|other:times} within a minute, and {times} {times|one:time|other:times} in all: {share} of all changes.",
	"hot-key.title":   "One object changes all the time",
	"hot-key.instead": "metadata.managedFields names who writes it. A controller that writes its own status each time it is called is the usual cause.",

	"no-op-updates":         "{updates} {updates|one:update|other:updates} of {resource} changed nothing but managedFields and times, of {compared} that could be compared; the first is of {key}.",
	"no-op-updates.title":   "Updates change nothing",
	"no-op-updates.instead": "Each is sent to every watch, and calls every handler. Whoever writes can compare first, and keep heartbeats in a Lease. A handler can compare the old object with the new one in OnUpdate, or leave that to a predicate such as GenerationChangedPredicate.",

	"large-cache":         "{objects} {objects|one:object|other:objects} of {resource} were in the cache at one time, {bytes} of JSON: {share} of all caches of this capture.",
	"large-cache.title":   "A cache is large",
	"large-cache.instead": "informerscope costs says what each field takes, and what would be saved by a transform that leaves fields out, by metadata alone, or by a selector.",

	"no-bookmarks":         "A watch of {resource} was open for {open} and brought {events} {events|one:event|other:events} and no bookmark.",
	"no-bookmarks.title":   "Bookmarks don't come",
	"no-bookmarks.instead": "After such a watch the client goes on from its last event, which may be too old by then; it has to list. Look for a proxy that drops what it doesn't know.",

	"burst":         "{changes} {changes|one:change|other:changes} of {resource} came within a second.",
	"burst.title":   "Changes come in a burst",
	"burst.instead": "A handler that takes a millisecond for a call can't keep up. Put keys on a workqueue, where several changes of an object become one.",

	"same-name":         "Handlers of {resource} and of {other} were recorded under one name, {handler}, the first with {calls} {calls|one:call|other:calls} and the second with {others}. Nobody can tell their calls apart.",
	"same-name.title":   "Two handlers have one name",
	"same-name.instead": "Give each handler a name of its own where the recorder wraps it.",

	"feeder.requeueAfter": "its own result asks for so short a time (RequeueAfter)",
	"feeder.requeue":      "its own result asks for it (Requeue)",
	"feeder.error":        "it has failed, and is tried again",
	"feeder.addAfter":     "it is put on the workqueue by AddAfter or AddRateLimited",
	"feeder.write":        "the reconcile before has changed an object that is watched, and the informer has got that change",
	"feeder.itself":       "the controller itself adds the key again: the informers have brought too little for it",
	"feeder.add":          "the key is added, nobody knows by whom",
	"feeder.unknown":      "nobody knows why: the workqueue wasn’t recorded",

	"duplicates":         "Controller {controller} created {duplicates} {duplicates|one:object|other:objects} twice: the first is {other} beside {message}, for {key}, since the cache didn’t have that yet. {stale} {stale|one:reconcile|other:reconciles} began before the cache had the controller’s last write.",
	"duplicates.title":   "Objects are created twice",
	"duplicates.instead": "Make names that don’t change (no generateName): the second create is then refused. Or let a key wait until the cache has its last write, as controllers of Kubernetes do by expectations. informerscope controller lists each stale reconcile.",

	"reconcile-panic":         "The reconcile by controller {controller} panicked {times} {times|one:time|other:times}, first for {key}.",
	"reconcile-panic.title":   "A reconcile panicked",
	"reconcile-panic.instead": "The process’s log has the stack. controller-runtime makes an error of it, and tries again; client-go lets it end the process.",

	"stuck-reconcile":         "Controller {controller} began to reconcile {key}, and had not returned after {ran}. {stuck} of {workers} {workers|one:worker|other:workers} {stuck|one:is|other:are} in such a reconcile.",
	"stuck-reconcile.title":   "A reconcile doesn’t return",
	"stuck-reconcile.instead": "A stack trace of the process shows what it waits for: a lock, a channel, an answer without a timeout. The worker takes no other key, and changes of this key wait. Give each call a context that ends.",

	"always-failing":         "The last {times} {times|one:reconcile|other:reconciles} of {key} by controller {controller} have all failed, with the error: {message}. The next try comes {next} after the last one. In all, {failing} {failing|one:key|other:keys} of the controller failed the last time.",
	"always-failing.untimed": "The last {times} {times|one:reconcile|other:reconciles} of {key} by controller {controller} have all failed, with the error: {message}. In all, {failing} {failing|one:key|other:keys} of the controller failed the last time.",
	"always-failing.title":   "A key fails each time",
	"always-failing.instead": "The pauses between tries get longer, up to about 17 minutes by default, so a repair may take that long to show. Where a try can’t help before the object changes, say so: return no error, or reconcile.TerminalError.",

	"conflicts":         "The API server has refused {times} {times|one:write|other:writes} of controller {controller} for {key} within {span}, since {other} had changed after it was read; {refused} {refused|one:was|other:were} refused in all. Accepted: {accepted}.",
	"conflicts.title":   "Writes meet conflicts without end",
	"conflicts.instead": "metadata.managedFields names who else writes the object. If the cache is late, read it from the API server before a write. A patch, or server-side apply, of the fields that are one’s own meets no conflict.",

	"hot-loop":         "Controller {controller} reconciled {key} {reconciles} {reconciles|one:time|other:times} within {span}, {rate}/s. Of them, {fed} {fed|one:began|other:began} because {feeder}.",
	"hot-loop.title":   "A controller reconciles one key all the time",
	"hot-loop.instead": "A reconcile that finds nothing to do should write nothing and ask for nothing. Compare before a write, don’t add the key at the end, and ask for a RequeueAfter that is as long as it may be.",

	"stale-reads":         "{times} {times|one:reconcile|other:reconciles} of controller {controller} within {span} began before the cache had the controller’s last write for the key, and wrote all the same, or were refused; the last is of {key}. In all, {stale} {stale|one:reconcile|other:reconciles} began so.",
	"stale-reads.title":   "Reconciles write what they worked out from old objects",
	"stale-reads.instead": "Let a key wait until the cache has its last write, as controllers of Kubernetes do by expectations. informerscope controller --guards says which guard would have helped here, and how long reconciles would wait.",

	"starvation":         "{key} waited {waited} on the workqueue of controller {controller} until a worker took it, while {passed} keys that were added later were taken. {waiting} {waiting|one:key|other:keys} waited so for more than a minute.",
	"starvation.waits":   "{key} has waited {waited} on the workqueue of controller {controller} when the recording ends, while {passed} keys that were added later were taken. {waiting} {waiting|one:key|other:keys} waited so for more than a minute.",
	"starvation.title":   "A key starves on the workqueue",
	"starvation.instead": "A priority queue takes keys of higher priority first; what the first list and resyncs bring has a low one. Run more workers (MaxConcurrentReconciles), make reconciles shorter, or find out who adds so much. Without UsePriorityQueue, keys are taken in turn.",

	"own-writes":         "{times} {times|one:time|other:times} within {span}, nothing but its own writes woke controller {controller} for {key}, and it wrote again; the last write was of {other}. Its own writes have woken it {woken} {woken|one:time|other:times} in all, which is {share} of its reconciles.",
	"own-writes.title":   "A controller is woken by its own writes",
	"own-writes.instead": "Compare before a write, and write only what differs: a time or a counter in the status differs each time. A predicate such as GenerationChangedPredicate lets updates of the status pass by.",

	"function-panic":           "The index function {handler} panicked for {key}; {times} {times|one:time|other:times} in all. It is called within the informer, whenever an object is added to the cache.",
	"function-panic.transform": "The transform function {handler} panicked for {key}; {times} {times|one:time|other:times} in all. It is called within the informer, for each object that comes.",
	"function-panic.title":     "A function of the cache panicked",
	"function-panic.instead":   "Such a function gets every object, and also those that lack what it looks for: a nil pointer, a label or an owner that isn’t there. It should return nothing for these.",

	"cache-changed":         "Handler {handler} changed an object of the cache in {fn}, first {key}; {times} {times|one:time|other:times} in all. Whoever reads the cache gets an object that the API server never had.",
	"cache-changed.between": "Objects in the cache were changed by the process after handler {handler} was told of them, first {key}; {times} {times|one:time|other:times} in all. Whoever reads the cache gets an object that the API server never had.",
	"cache-changed.title":   "The process changes objects in its cache",
	"cache-changed.instead": "What a lister, an indexer or a handler gets is shared: call DeepCopy before a change. With KUBE_CACHE_MUTATION_DETECTOR=true, client-go panics where it notices such a change, and prints the difference.",

	"unseen-writes":         "{writes} {writes|one:write|other:writes} of controller {controller} had not come back by the watch when the recording ended, though the API server had accepted {writes|one:it|other:them} and the cache has the {writes|one:object|other:objects}. The first was of {other} ({message}), {waited} before.",
	"unseen-writes.title":   "A controller’s writes don’t come back",
	"unseen-writes.instead": "The controller works with a cache that no longer changes. The watch is probably half open: a balancer has dropped the connection, or a proxy holds back what is sent. informerscope doctor compares the ways to a cluster.",

	"not-synced":           "The informer of {resource} had not synced after {waited}: the list that it asked for has not ended.",
	"not-synced.failed":    "The informer of {resource} had not synced after {waited}: {lists} {lists|one:list|other:lists} failed, the last with: {message}.",
	"not-synced.streaming": "The informer of {resource} had not synced after {waited}: the streaming list that it asked for lacks the bookmark that ends it.",
	"not-synced.title":     "An informer doesn’t sync",
	"not-synced.instead":   "WaitForCacheSync waits for it, and mostly the whole process with that. Where lists fail, the error says why: mostly a right that the ServiceAccount lacks, or a CRD that isn’t installed. Where one doesn’t end, look for a proxy that holds back what is sent.",

	// What a finding is, at worst.
	"harm.wrong":  "wrong",
	"harm.stuck":  "stuck",
	"harm.late":   "late",
	"harm.costly": "costly",
	"harm.noted":  "worth knowing",

	// Of a capture: what it is, and what it can't tell.
	"card.nothing":   "Nothing wrong was found",
	"card.refused":   "Nothing came: each list or watch failed",
	"card.facts":     "{n} {n|one:event|other:events} of {of} in {time}.",
	"card.untimed":   "{n} {n|one:event|other:events} of {of}.",
	"card.resources": "{n} {n|one:resource|other:resources}",
	"card.format":    "Read from {format}.",
	"card.both":      "{first} and {second}",
	"card.recorder":  "Recorder: {recorder}.",
	"card.server":    "The API server’s version is {server}.",
	"card.when":      "From {from} to {to}.",
	"card.handler":   "{handler} of {resource}: {n} {n|one:call|other:calls}, {time} on average, {most} at most",
	"card.calls":     "{handler} of {resource}: {n} {n|one:call|other:calls}, without their durations",
	"card.nobody":    "Your handlers aren’t in this capture",
	"card.noTimes":   "The times are made up: the format has none, so the events are evenly spaced. Their order is true; how long anything took is not.",
	"card.truncated": "The beginning is missing, or a part that the recorder could not keep up with.",

	// Of what a capture was read, by the id of the format.
	"format.trace":      "a trace of informerscope",
	"format.watch":      "a watch stream",
	"format.kubectl":    "kubectl get -w, with watch events",
	"format.list":       "lists (kubectl get)",
	"format.objects":    "objects one after the other, without watch events",
	"format.audit":      "an audit log of the API server",
	"format.kwok":       "a recording of kwokctl",
	"format.k8shark":    "a capture of k8shark",
	"format.simkube":    "a trace of SimKube",
	"format.scheduler":  "records of kube-scheduler-simulator",
	"format.har":        "HAR, from a browser or proxy",
	"format.age":        "a file encrypted with age",
	"format.klog":       "a log of kubectl -v=9",
	"format.metrics":    "metrics",
	"format.prometheus": "a range query of Prometheus",
	"format.log":        "a log",
}

// Format writes the values of a language or a program.
type Format struct {
	Count func(n int64) string
	Took  func(ns int64) string
	Size  func(bytes int64) string
	Text  func(s string) string // makes text from a capture harmless
}

// Sentence returns a sentence about a capture.
func Sentence(l *findings.Line, how Format) string {
	return sentence.Fill(Texts[strings.TrimPrefix(l.ID, "finding.")], func(name string) (text string, one bool) {
		for i := range l.Args {
			switch a := &l.Args[i]; {
			case a.Name != name:
			case a.Line != nil:
				return Sentence(a.Line, how), false
			case a.Count != nil:
				return count(a.Count, how), a.Count.N == 1
			default:
				return how.Text(a.Text), false
			}
		}
		return "", false
	})
}

func count(c *findings.Count, how Format) (text string) {
	switch c.Unit {
	case findings.Duration:
		text = how.Took(c.N)
	case findings.Bytes:
		text = how.Size(c.N)
	case findings.Percent:
		text = how.Count(c.N) + " %"
	default:
		text = how.Count(c.N)
	}
	if c.AtLeast {
		text = sentence.Fill(Texts["atLeast"], func(string) (string, bool) { return text, false })
	}
	return text
}

// Finding returns what was found, with what else is known of it.
func Finding(f *findings.Finding, how Format) string {
	l := f.Line()
	s := Sentence(&l, how)
	if len(f.Fields) > 0 {
		var paths []string
		for _, x := range f.Fields {
			paths = append(paths, how.Text(x.Path))
		}
		s += " " + sentence.Fill(Texts[findings.FieldsText(f.ID)], func(string) (string, bool) { return strings.Join(paths, ", "), false })
	}
	for _, note := range f.Notes() {
		s += " " + Texts[note]
	}
	return s
}

// English is how a terminal gets the values.
var English = Format{Count: plain.Count, Took: plain.Duration, Size: plain.Size, Text: plain.Text}
