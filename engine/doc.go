/*
Package engine documents the machine: an informer of client-go that can be stopped.

The packages below this folder do what client-go's reflector, DeltaFIFO or RealFIFO,
indexer, sharedProcessor and workqueue do, in the same order and with the same results.
But there is no goroutine, no clock and no I/O in them. Everything that the machine
knows is data, and it moves when it is told to, one step at a time. Package engine
itself has no code. It is the place to begin reading, and its examples run.

# What a world is

A world ([world.World]) is a process with its informers, and the API servers that they
list and watch. It is made of

  - stations, each a package that models one part of client-go and knows no other
    station: apiserver, request, reflector, fifo, indexer, processor, workqueue;
  - actors, which are goroutines as data. A State of package [actor] has a program
    counter, what the actor waits for, and since when. A Lock has its holder and those
    that wait for it;
  - informers, which are where the stations of one resource meet. Package [informer] has
    a method for each thing that one of client-go's goroutines does between two points
    at which another goroutine could observe it;
  - a clock, and a seeded source of all that client-go leaves to chance: jitter of
    back-offs, the order of a map, the length of a watch.

Between two steps nothing happens. A world can be copied, compared by its hash, and
inspected in any way; looking at it changes nothing.

Objects are numbers. An [object.Table] holds what the machine reads of each version of
an object (key, uid, resourceVersion, labels), interned, and an [object.Ref] is a row of
it. Two equal Refs stand for the same pointer in client-go. The JSON stays with whoever
read it.

# How to drive one

A run ([history.History]) is the only thing that moves a world. There are four ways to
come to one:

  - Write a script (package script), as below. A lesson, a golden test, a link and the
    page's console are the same text.
  - Fill a [world.Config] and call [history.New]. Its informers have a simulated
    server, or a Feed that was recorded.
  - Read a capture with package replay/feed, which makes such a Config of it.
  - Take inputs that somebody saved and call [history.Replay].

A script sets up the machine, says what the outside world does, and how far to run:

	informer pods resync=30s
	handler audit takes=20ms
	create pod shop/web app=web
	run until call audit
	break watch
	run

A History moves its world in three ways, and writes a [history.Input] for the last two:

	made := h.Extend(1000)       // the default schedule: what a real run would most plausibly do
	ok := h.Choose(id)           // another actor than the one whose turn it is
	ok = h.Do(world.Command{…})  // the outside world: a write, a broken watch, a slow handler

A command is a step of its own, whose actor is actor.Nobody. After each step the
world's Log has the facts: an [event.Event] for each thing that changed.
Facts are all that anyone outside needs to see. The page's pictures, the reports, the
metrics and the causes are made of them.

Extend stops when the run is complete, which it is when nothing more would come of
going on: an informer that has synced and whose watch is quiet would resync and renew
its watch for ever. A [world.Command] of the kind PassTime sets a horizon up to which it
goes on all the same. Extend stops, too, when a recording that is still being read has
no more records (Starved).

# Steps

A step is the least that another goroutine could observe. Where client-go takes a lock,
checks something and gives it back, and nobody could tell in between, that is one step.
So a watch event on its way to a handler is some fifteen steps:

	reflector  ReflectorReceive   the event has crossed the wire and was decoded
	reflector  ReflectorEnqueue   queue.Add under the queue's lock
	reflector  ReflectorRV        the resourceVersion moves on
	loop       LoopPop            Pop takes the queue's lock, and HandleDeltas blockDeltas
	loop       LoopStore          the indexer is written
	loop       LoopDistribute     the notification goes to each listener over addCh
	loop       LoopRelease        the locks are given back
	pop        PopNext            pop offers the notification to nextCh
	run        RunCall            the handler is called
	run        RunReturn          it has returned

[world.World.Ready] lists the actors that can move, in a fixed order;
[world.World.Next] is the one that the default schedule takes: the one whose step is
due first, by costs of each kind of step that are plausible on a common machine
([actor.DefaultCosts]). What matters of the costs is their proportion. Recorded servers
send at the times of the recording.

# Going back

A History keeps the inputs and a copy of the world now and then. It computes everything
else again from the nearest copy, so any step can be reached in either direction:

	w := h.SeekTo(step)         // the world after that step; h's furthest point stays
	step := h.StepOf(t)         // the last step up to a time
	b := h.Branch(step)         // another future from there; the past is shared
	f := h.Find(step, back, match)

Copies are limited by a [history.Memory], which several histories can share. A branch
writes nothing that its parent reads. A [history.Moment] names a step by what was
received and done before it, so that it means the same after the machine has changed,
and step numbers with it.

# Asking

  - Package ask has expressions over a world, such as behind("audit") > 1000, in a part
    of the Common Expression Language. They are evaluated along a run, and only where
    the facts of a step can have changed them.
  - Package cause follows a watch event to the calls that came of it, and a call back to
    its event.
  - Package explore tries every interleaving of a small world, and answers whether
    something can happen, with the shortest schedule. It says which limit it met if it
    has not tried them all.
  - Package changes lists what differs for a program between two releases of client-go,
    each with a script that shows it.
  - Package metrics has what client-go would have exported.

# Versions

A version of client-go is a [world.Profile]: a set of gates, each a difference that was
measured on the real library on both sides. It is data, and all versions share the code
of the stations. ProfileFor("v0.26.4") works it out for any release from v0.22 on. Two
histories of one Config that differ in the Profile are two versions on the same input.

Controllers have versions, too: of controller-runtime (its priority queue, what a panic
does, when its workers start) and of kube-controller-manager (which controller has which
guard against its own stale cache). See package controller.

# What is promised

Determinism. The same Config and inputs make the same run, step by step and fact by
fact, on every machine and in a browser. No result depends on the order of a map, on the
machine's clock or on anything that isn't in the Config. Nothing in the engine may import
a package that reads a clock, does I/O, starts a goroutine or looks at the machine, and
a test reads the imports.

Truth. The engine is right when it can't be told from client-go. Random scripts and
whole recordings are played to the real library, in each minor version, and to the
engine: what was popped, queued, cached, indexed, notified, requested and exported must
be the same. Where the real one is free, the engine's answer is one of those allowed.
The README of conformance has how, and what the engine doesn't have.

Errors. A World has no error of its own: a panic of the modelled program, a process
that ends or a watch that expires are states of it, and facts. What can't be done is
refused and changes nothing: Choose and Do return false. Functions that read what
somebody wrote return errors of package fault, which have an id and arguments so that
they can be said in any language; a script's error has its line and column. A log of
inputs from elsewhere may be wrong: a History ends where an input can't be done, and Err
says why. A panic of the engine itself is a bug.

Recorded and simulated are kept apart. A server that is played from a recording sends
what was recorded, when it was recorded. When a command needs a server that can answer
(a write, a compaction), a simulated one goes on from there, and says so in a fact.

Concurrency. A History, its branches and their Memory belong to one goroutine. A
Table, a Config and a Profile may be read by many as long as nobody adds to the Table.

# What it costs

A step allocates next to nothing in steady state, and the engine plays four to six times
the watch events a second that client-go's own informer handles. A seek costs one copy of the
world and the steps from the nearest checkpoint, at most 8192 of them unless memory is
short. A branch costs nothing until it moves. A World is as large as its cache, queue
and listeners: a few small integers an object and a delta.

An exploration costs a copy for each state that it sees, and remembers a hash of 64 bits
for each: a million states take about 32 MB and some seconds.

The measurements, and how to repeat them, are in the README beside this file; make
bench-against REF=… compares two commits.

# Where to go on

	object fault event actor        the words in which everything else is written
	apiserver request reflector     from the wire to the queue
	fifo indexer                    the queue and the cache
	processor workqueue             who is told, and what is to be done
	informer                        the goroutines of one informer
	controller                      queues and guards of a reconciler
	manager                         what controllers do: reconcile, read, write, elect a leader
	world                           several informers, commands, versions
	history explore                 runs, and all of them
	script ask cause changes        text in, answers out
	fleet                           many reflectors against one server
	conformance                     the comparison with the real library

[actor]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/actor
[actor.DefaultCosts]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/actor#DefaultCosts
[event.Event]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/event#Event
[history.History]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/history#History
[history.Input]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/history#Input
[history.Memory]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/history#Memory
[history.Moment]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/history#Moment
[history.New]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/history#New
[history.Replay]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/history#Replay
[informer]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/informer
[object.Ref]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/object#Ref
[object.Table]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/object#Table
[world.Command]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/world#Command
[world.Config]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/world#Config
[world.Profile]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/world#Profile
[world.World]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/world#World
[world.World.Next]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/world#World.Next
[world.World.Ready]: https://pkg.go.dev/github.com/informerscope/informerscope/engine/world#World.Ready
*/
package engine
