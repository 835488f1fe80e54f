package world

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// Command is something that the outside world does to the machine, in addition to
// the recording. It is a step of the run, whose actor is actor.Nobody.
type Command struct {
	Kind     CommandKind
	Informer int              // to which it is done, by its place in Config.Informers; 0 if it is Global
	Handler  informer.Handler // of AddHandler
	Listener int              // of the commands for a handler: its number
	Index    string           // of AddIndex: the label by whose values it files

	Object             object.Meta       // of Create and Update: the content; of Patch: what it changes; of Delete, MutateCached, WriteBack, FailReconciles, HangReconcile and the Work commands: Key
	Failure            apiserver.Failure // of FailRequests
	Foreground, Orphan bool              // of Delete: the propagation policy; Background if neither

	N    int64 // nanoseconds, a revision, a number of requests or of reconciles
	Warm int64 // of RestartServer, ns

	RetryAfter apiserver.RetryAfter // of FailRequests: the header of answers with a code

	Shard object.Shard // of Reshard

	Refs []object.Ref // of the Queue commands; after MutateCached: the version that it made
}

// CommandKind says what a [Command] does.
type CommandKind uint8

const (
	BreakWatch         CommandKind = iota + 1 // cuts the connection of the open watch
	StopInformer                              // closes the stop channel
	AddHandler                                // AddEventHandler with Handler
	RemoveHandler                             // RemoveEventHandler of Listener
	PaceHandler                               // from now on the calls of Listener take N, which may be informer.Forever
	PanicHandler                              // from now on the calls of Listener panic
	BlindHandler                              // from now on Listener doesn't know tombstones: its type assertion fails. If Handler.Panics is set, it panics then
	MendHandler                               // Listener doesn't panic any more, and knows tombstones
	FailReconciles                            // the next N reconciles of Object.Key that end fail, all if N is negative; 0 is any key. It takes the place of the one before
	PauseWork                                 // Pause of the workqueue: its workers get nothing more
	ResumeWork                                // Resume of the workqueue
	HangReconcile                             // the next reconcile of Object.Key that begins takes N longer, for ever if N is negative; 0 is any key. If N is 0, those that hang return
	AddIndex                                  // AddIndexers with an index by the label Index
	RefuseTombstones                          // from now on the store's key function fails for tombstones
	KillProcess                               // the process ends without any notice, and the same program starts again, with empty caches and queues
	KillReplica                               // the same for the process of Informer, which starts N later, or never if N is negative
	PauseReplica                              // that process doesn't move for N
	StopReplica                               // that process is asked to end, and starts again
	CutReplica                                // nothing goes between that process and the API server any more
	JoinReplica                               // something does again
	Reshard                                   // that process is asked to end, and starts N later with Shard
	DropEvent                                 // the next watch event that tells of a change is lost
	DelayEvent                                // it comes N later
	DuplicateEvent                            // it comes twice
	SwapEvents                                // it comes behind the one after it
	SpoilMeta                                 // it comes without metadata
	SpoilKind                                 // its object is of another kind
	SpoilType                                 // its type is not known
	WithholdInitialEnd                        // the next bookmark that ends initial events is lost
	DropBookmarks                             // of the bookmarks that tell of progress, every N-th is lost; 0 for none of them
	RunAgain                                  // another call of Run, with the same stop channel
	StartFactory                              // SharedInformerFactory.Start: Run of each of the factory's informers for which it hasn't been called
	WriteBack                                 // the program calls Update of the informer's store with the version of Object.Key that the API server has, or with the one of revision N
	MutateCached                              // somebody writes to the cached object of Object.Key: its labels are Object.Labels now
	PassTime                                  // time passes until N. What is due until then happens, even a timer that changes nothing
	TakeNoTime                                // from now on steps take no time, as in Explore: only waiting does

	// These are done by a simulated server. A write gets the next revision of
	// the cluster, which all servers share.
	Create        // Object
	Update        // Object
	Patch         // Object: its labels and fields are written, those that are empty are removed, and all others stay
	Delete        // Object.Key
	Compact       // etcd forgets the revisions before the present one
	RestartServer // it is down for N, and its watch cache begins Warm later
	RestoreServer // etcd comes back from a backup made at revision N
	LagServer     // its watch cache gets changes N later, and never if N is negative
	FailRequests  // the next N requests fail with Failure, all if N is negative
	SilenceWatch  // the open watch's connection is half-open from now on; the client finds out after N, when HTTP/2's ping fails if N is 0, and never if N is negative

	// These are the calls of a program that uses one station alone, by hand. No
	// actor moves then.
	QueueAdd      // Refs[0]
	QueueUpdate   // Refs[0]
	QueueDelete   // Refs[0]
	QueueReplace  // Refs, at resourceVersion N
	QueueResync   //
	QueueClose    //
	QueueUnknown  // knownObjects is nil from now on; only a DeltaFIFO can be without
	QueuePop      // Pop, with a process function that writes the deltas to the indexer
	QueuePopFails // Pop, with a process function that fails: AddIfNotPresent puts the deltas back
	QueuePopErrs  // Pop, with a process function that returns another error: nothing is put back
	QueueRetry    // AddIfNotPresent of what was popped last, as processLoop calls it with RetryOnError
	WorkAdd       // Object.Key, as in all that follow
	WorkAddAfter  // N
	WorkAddRateLimited
	WorkGet
	WorkDone
	WorkForget
	WorkWait // N nanoseconds pass
	WorkShutDown
	WorkShutDownWithDrain

	// These are calls of distribute by a program that uses a sharedProcessor alone.
	// Its listeners move then, and nobody else.
	NotifyAdd    // Refs[0]
	NotifyUpdate // Refs[0] takes the place of Refs[1]
	NotifyDelete // Refs[0]
)

// trait is something that is true of some kinds of commands, and isn't usual.
type trait uint8

const (
	global     trait = 1 << iota // it is for the whole program, or for all servers
	forHandler                   // it is for the handler Listener
	wire                         // it can be done to any connection between a server and its client
	simulates                    // a server that is played back is simulated from it on, because no recording can answer it
	byHand                       // it is a call on one station alone
	harmless                     // it changes nothing that a recorded controller would have seen
)

// kinds has the traits of each kind. If it does something to watch events on their way from a server
// to its client, it also has what, and the fact that tells of it. That fact has the command's N, if
// its field is a duration or a count.
var kinds = [...]struct {
	traits trait
	tamper apiserver.Tamper
	fact   event.Event
}{
	BreakWatch:    {traits: wire},
	AddHandler:    {traits: harmless},
	RemoveHandler: {traits: forHandler | harmless},
	PaceHandler:   {traits: forHandler},
	PanicHandler:  {traits: forHandler},
	BlindHandler:  {traits: forHandler},
	MendHandler:   {traits: forHandler},
	AddIndex:      {traits: harmless},
	KillProcess:   {traits: global},
	PassTime:      {traits: global | harmless},
	TakeNoTime:    {traits: global | harmless},

	DropEvent:          {wire, apiserver.Drop, event.Event{Kind: event.NextDropped}},
	DelayEvent:         {wire, apiserver.Delay, event.Event{Kind: event.NextDelayed}},
	DuplicateEvent:     {wire, apiserver.Duplicate, event.Event{Kind: event.NextDuplicated}},
	SwapEvents:         {wire, apiserver.Swap, event.Event{Kind: event.NextSwapped}},
	SpoilMeta:          {0, apiserver.LoseMeta, event.Event{Kind: event.NextSpoilt, N: int64(event.SkipNoMeta)}}, // a client that decodes JSON gives every object some metadata
	SpoilKind:          {wire, apiserver.MixKind, event.Event{Kind: event.NextSpoilt, N: int64(event.SkipExpectedType)}},
	SpoilType:          {wire, apiserver.MixType, event.Event{Kind: event.NextSpoilt, N: int64(event.SkipUnknownType)}},
	WithholdInitialEnd: {wire, apiserver.WithholdInitialEnd, event.Event{Kind: event.InitialWithheld}},
	DropBookmarks:      {wire, apiserver.DropBookmarks, event.Event{Kind: event.BookmarksDropped}},

	Create:        {traits: simulates | global},
	Update:        {traits: simulates | global},
	Patch:         {traits: simulates | global},
	Delete:        {traits: simulates | global},
	Compact:       {traits: simulates | global},
	RestartServer: {traits: simulates},
	RestoreServer: {traits: simulates | global},
	LagServer:     {traits: simulates | wire},
	FailRequests:  {traits: simulates | wire},
	SilenceWatch:  {traits: simulates | wire},

	QueueAdd: {traits: byHand}, QueueUpdate: {traits: byHand}, QueueDelete: {traits: byHand}, QueueReplace: {traits: byHand}, QueueResync: {traits: byHand}, QueueClose: {traits: byHand}, QueueUnknown: {traits: byHand},
	QueuePop: {traits: byHand}, QueuePopFails: {traits: byHand}, QueuePopErrs: {traits: byHand}, QueueRetry: {traits: byHand},
	WorkAdd: {traits: byHand}, WorkAddAfter: {traits: byHand}, WorkAddRateLimited: {traits: byHand}, WorkGet: {traits: byHand}, WorkDone: {traits: byHand},
	WorkForget: {traits: byHand}, WorkWait: {traits: byHand}, WorkShutDown: {traits: byHand}, WorkShutDownWithDrain: {traits: byHand},
	NotifyAdd: {traits: byHand}, NotifyUpdate: {traits: byHand}, NotifyDelete: {traits: byHand},
}

func (k CommandKind) has(t trait) bool { return int(k) < len(kinds) && kinds[k].traits&t != 0 }

// Global reports whether the command is for the whole program, or for all servers.
func (k CommandKind) Global() bool { return k.has(global) }

// ForHandler reports whether the command is for the handler Listener.
func (k CommandKind) ForHandler() bool { return k.has(forHandler) }

// OnConnection reports whether the command can be done to the connection between a server and
// its client, whoever they are.
func (k CommandKind) OnConnection() bool { return k.has(wire) }

// Simulates reports whether a server that is played back is simulated from this
// command on, because no recording can answer it.
func (k CommandKind) Simulates() bool { return k.has(simulates) }

// ByHand reports whether the command is a call on one station alone.
func (k CommandKind) ByHand() bool { return k.has(byHand) }

// Tamper returns what the command does to watch events on their way from a server to its client, 0
// for nothing.
func (k CommandKind) Tamper() apiserver.Tamper {
	if int(k) < len(kinds) {
		return kinds[k].tamper
	}
	return 0
}

// randomKinds are the kinds that random runs choose from, besides writes and replicaKinds, by the
// generation of seeds that has them first. A run chooses from those of its seed's generation and
// the older ones: a new kind is a new row, so that no run of an older seed is another one.
var randomKinds = [...][]CommandKind{
	{
		BreakWatch, StopInformer, AddHandler, RemoveHandler, PaceHandler, PanicHandler, BlindHandler, MendHandler,
		FailReconciles, AddIndex, RefuseTombstones, KillProcess,
		DropEvent, DelayEvent, DuplicateEvent, SwapEvents, SpoilMeta, SpoilKind, SpoilType, WithholdInitialEnd,
		RunAgain, StartFactory, MutateCached, PassTime, TakeNoTime,
		Create, Update, Delete, Compact, RestartServer, RestoreServer, LagServer, FailRequests, SilenceWatch,
	},
	{DropBookmarks},
	{HangReconcile, PauseWork, ResumeWork},
}

// randomFailures are those that FailRequests of random runs chooses from. Another one changes all of
// them, unless it is for a new generation.
var randomFailures = [...]apiserver.Failure{
	apiserver.Expired, apiserver.Gone, apiserver.TooLarge, apiserver.TooManyRequests,
	apiserver.InternalError, apiserver.Refused, apiserver.Reset, apiserver.OtherFailure,
}

// replicaKinds are those that random runs of several replicas choose from.
var replicaKinds = [...]CommandKind{KillReplica, PauseReplica, StopReplica, CutReplica, JoinReplica}

// shardKinds are those that random runs of processes with shards choose from.
var shardKinds = append(replicaKinds[:], Reshard, Reshard)
