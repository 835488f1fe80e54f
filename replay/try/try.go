// Package try finds out whether a client, in whatever language, recovers from faults of the API server and of the network. It
// serves replay/testserver on a loopback port, starts the client as a command, plays faults one after the other, by
// replay/record/whatif, and says from the wire alone what came of each.
//
//	report, err := try.Run(ctx, try.Options{Command: []string{"./controller"}, Fast: true})
//	for _, v := range report.Verdicts { fmt.Println(v.Fault, v.Summary()) }
//
// The wire tells what a client asked for and what it was sent. Whether it has used what it was sent, the wire can't tell.
package try

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
)

// Options say what is tried. The zero values of all but Command are fit for use.
type Options struct {
	Command   []string
	Faults    []string          // which are played, by their IDs; nil for all
	Within    time.Duration     // how long a client may take to recover; 0 is a minute, or 20 s with Fast
	Fast      bool              // waits less between faults
	Seed      uint64            // of the server
	Resources []string          // which the script writes; nil for those that the command lists and watches
	Objects   []map[string]any  // what is there when the command starts, definitions of custom resources among it
	Folder    string            // where the traces are written; "" for nowhere
	Output    io.Writer         // what the command prints; nil for nowhere
	Progress  func(text string) // gets a line when a fault begins and when it ends; nil for none

	silence time.Duration // Within of half-open silence
}

// Limit is how long Run takes at most.
const Limit = 5 * time.Minute

// silenceFor is what a client may take at least where nothing comes: client-go takes 45 s.
const silenceFor = 75 * time.Second

// pace is how long things last.
type pace struct{ rest, hold, look time.Duration }

// Faults returns the IDs and the descriptions of the faults, in their order.
func Faults() (all [][2]string) {
	for _, f := range faults {
		all = append(all, [2]string{f.ID, f.Text})
	}
	return all
}

// ErrNothingAsked says that the command lists and watches nothing.
var ErrNothingAsked = errors.New("the command keeps no watch open and doesn't list again and again")

// Run tries a command. It returns when all faults were played, when ctx is done, or after Limit. The error is [ErrNothingAsked],
// the error of ctx, or says why the command can't be tried; the Report then has what was found before. A command that ends in a fault has
// the Result [Ended].
func Run(ctx context.Context, o Options) (*Report, error) {
	p, within := pace{rest: time.Second, hold: 3 * time.Second, look: 3 * time.Second}, time.Minute
	if o.Fast {
		p, within = pace{rest: 300 * time.Millisecond, hold: 2500 * time.Millisecond, look: 1200 * time.Millisecond}, 20*time.Second
	}
	if o.Within == 0 {
		o.Within, o.silence = within, max(within, silenceFor)
	}
	return runAt(ctx, o, p)
}

// runAt does what Run does, at a pace.
func runAt(ctx context.Context, o Options, p pace) (*Report, error) {
	o.silence = cmp.Or(o.silence, o.Within)
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	var mu sync.Mutex
	tell := o.Progress
	o.Progress = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		tell(text)
	}
	lanes := [2]*lane{}
	for _, f := range faults {
		if len(o.Faults) > 0 && !slices.Contains(o.Faults, f.ID) {
			continue
		}
		i, name := 0, "main"
		if f.beside {
			i, name = 1, "beside"
		}
		if lanes[i] == nil {
			lanes[i] = &lane{o: &o, pace: p, name: name}
		}
		lanes[i].plan = append(lanes[i].plan, f)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	errs := [2]error{}
	for i, l := range lanes {
		if l != nil {
			all.Go(func() {
				if errs[i] = l.run(ctx); errs[i] != nil {
					cancel()
				}
			})
		}
	}
	all.Wait()
	r := &Report{Command: o.Command}
	for _, l := range lanes {
		if l != nil {
			r.add(l)
		}
	}
	slices.SortStableFunc(r.Verdicts, func(a, b Verdict) int { return cmp.Compare(indexOf(a.Fault), indexOf(b.Fault)) })
	for _, err := range errs { // the first one has cancelled the other
		if err != nil && !errors.Is(err, context.Canceled) {
			return r, err
		}
	}
	return r, cmp.Or(errs[0], errs[1])
}

func indexOf(id string) int {
	return slices.IndexFunc(faults, func(f fault) bool { return f.ID == id })
}

// lane is a server with a process of the command, and the faults that are played on it.
type lane struct {
	o    *Options
	pace pace
	name string
	plan []fault

	ctx      context.Context
	deadline time.Time
	server   *testserver.Server
	faults   *whatif.Faults
	wire     *wire
	port     *port
	recorder *record.Recorder
	file     *os.File
	began    time.Time // the trace
	trace    string    // its name
	starts   int
	process  *process
	verdicts []Verdict
	read     map[string]bool // names of readers

	// Of the fault that is played.
	limit   time.Duration
	faultAt time.Time
	at      time.Duration // of what the fault is about, in the trace
	fault   string
	script  []*target
	need    map[*reader]int // how many watches were open before
	after   func() error    // what is written when it is over
	stage   string
	epoch   int // counts backups
	truths  map[*reader]truth

	usual *usual // what comes of the script without faults, nil if the command doesn't write
}

// run plays all faults of the lane.
func (l *lane) run(ctx context.Context) (err error) {
	l.ctx, l.deadline = ctx, time.Now().Add(Limit-5*time.Second)
	l.server = testserver.New(testserver.Options{Seed: l.o.Seed, CollectAfter: time.Second, ManagedFields: true})
	defer l.server.Close()
	its := object{"apiVersion": "v1", "kind": "Namespace", "metadata": object{"name": namespace}}
	for _, o := range append([]object{its}, l.o.Objects...) {
		if err := l.apply(o); err != nil {
			return err
		}
	}
	l.wire, l.faults, l.read = newWire(), whatif.New(l.server), map[string]bool{}
	if l.port, err = open(l.wire); err != nil {
		return err
	}
	defer l.port.close()
	defer func() { err = cmp.Or(err, l.stop()) }()
	if err := l.begin(); err != nil {
		return err
	}
	if err := l.learn(); err != nil {
		return err
	}
	for i, f := range l.plan {
		if l.process == nil {
			if err := l.begin(); err != nil {
				return err
			}
		}
		within := l.o.Within
		if f.ID == "silence" {
			within = l.o.silence
		}
		l.limit = min(within, time.Until(l.deadline)/time.Duration(len(l.plan)-i)-l.pace.rest-l.pace.hold-l.pace.look)
		v, err := l.play(&f)
		if err != nil {
			return err
		}
		l.verdicts = append(l.verdicts, v)
		said := []string{f.ID + ": " + v.outcomeText()}
		for _, p := range v.Problems {
			said = append(said, p.String())
		}
		l.recorder.Mark(strings.Join(said, "; "))
		l.o.Progress(f.ID + ": " + v.Text())
		if v.lost() {
			if err := l.stop(); err != nil {
				return err
			}
		}
	}
	return nil
}

// stop ends the command, and its trace.
func (l *lane) stop() error {
	if l.process == nil {
		return nil
	}
	l.process.stop()
	l.process = nil
	for over := time.After(time.Second); !l.wire.noneBefore(time.Now()); {
		select {
		case <-l.wire.news:
		case <-over:
			return l.close()
		}
	}
	return l.close()
}

// close ends the trace of a process, if there is one.
func (l *lane) close() error {
	if l.recorder == nil {
		return nil
	}
	err := cmp.Or(l.recorder.Close(), l.file.Close())
	l.recorder = nil
	return err
}

// record begins a trace. Each process has its own, since the player takes a trace for the trace of one process.
func (l *lane) record() (err error) {
	l.began, l.trace = time.Now(), l.name
	if l.starts++; l.starts > 1 {
		l.trace += fmt.Sprint("-", l.starts)
	}
	via := http.RoundTripper(l.faults)
	if l.o.Folder != "" {
		if l.file, err = os.OpenFile(filepath.Join(l.o.Folder, l.trace+".trace.jsonl"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil {
			return err
		}
		if l.recorder, err = record.New(l.file, record.Options{Recorder: "informerscope try", Note: "the server is simulated, and faults were played: " + strings.Join(l.o.Command, " ")}); err != nil {
			l.file.Close()
			return err
		}
		via = l.recorder.Wrap(via)
	}
	l.port.serve(via)
	return nil
}

// startWithin is how long a command may take to ask for something.
const startWithin = 30 * time.Second

// begin starts the command, and waits until it follows something and asks for nothing new.
func (l *lane) begin() (err error) {
	l.wire.forget()
	l.faults.Calm()
	if err := l.record(); err != nil {
		return err
	}
	if l.process, err = start(l.o, l.port.kubeconfig()); err != nil {
		return cmp.Or(l.close(), err)
	}
	l.need, l.truths = nil, map[*reader]truth{}
	known, since := 0, time.Now()
	switch l.wait(startWithin, func() bool {
		if n := len(l.followers()); n != known {
			known, since = n, time.Now()
		}
		return known > 0 && time.Since(since) > max(l.pace.rest, time.Second)
	}) {
	case ended:
		return fmt.Errorf("the command has ended before it kept a watch open: %s", l.process.describeEnd())
	case late:
		return ErrNothingAsked
	case stopped:
		return l.ctx.Err()
	}
	return nil
}

// followers returns the readers that keep a watch open, or list again and again.
func (l *lane) followers() (all []*reader) {
	l.wire.mu.Lock()
	defer l.wire.mu.Unlock()
	for _, r := range l.wire.readers {
		lists, watches := 0, 0
		for _, x := range r.asked {
			switch {
			case x.watch:
				watches++
			case x.done:
				lists++
			}
		}
		if _, is := l.need[r]; is || r.open(time.Now()) > 0 || lists > 1 && watches == 0 {
			all = append(all, r)
		}
	}
	return all
}

// outcome says how waiting ended.
type outcome int

const (
	happened outcome = iota
	late
	ended   // the command has
	stopped // by ctx
)

// wait waits until something is true, which it looks at whenever something has happened on the wire, and 50 times a second.
func (l *lane) wait(limit time.Duration, is func() bool) outcome {
	over, again := time.NewTimer(limit), time.NewTicker(20*time.Millisecond)
	defer over.Stop()
	defer again.Stop()
	for {
		select {
		case <-l.process.ended:
			return ended
		default:
		}
		if is() {
			return happened
		}
		select {
		case <-again.C:
		case <-l.wire.news:
		case <-over.C:
			return late
		case <-l.process.ended:
		case <-l.ctx.Done():
			return stopped
		}
	}
}

// sleep lets time pass. It returns the context's error if that ends before.
func (l *lane) sleep(d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-l.ctx.Done():
		return l.ctx.Err()
	}
}

// truth is what the server has for a reader.
type truth struct {
	moment
	objects map[string]string
}

// moment is one of the server's.
type moment struct {
	revision int64
	epoch    int
}

func (l *lane) now() moment { return moment{l.server.Revision(), l.epoch} }

// contents returns what the server has for a reader now.
func (l *lane) contents(r *reader) map[string]string {
	was, now := l.truths[r], l.now()
	if was.objects != nil && was.moment == now {
		return was.objects
	}
	path := r.url
	if q := r.selector.Encode(); q != "" {
		path += "?" + q
	}
	var list sent
	b, err := l.send(http.MethodGet, path, nil, http.StatusNotFound)
	if err != nil || json.Unmarshal(b, &list) != nil {
		return nil
	}
	l.truths[r] = truth{now, list.objects()}
	return l.truths[r].objects
}

// inStep reports whether all readers were sent everything, and have their watches open.
func (l *lane) inStep() bool {
	for _, r := range l.followers() {
		if !l.healthy(r, time.Now()) || len(l.lacks(r)) > 0 {
			return false
		}
	}
	return true
}

// healthy reports whether a reader has as many watches open as before the fault, which it asked for before a time.
func (l *lane) healthy(r *reader, before time.Time) bool {
	l.wire.mu.Lock()
	defer l.wire.mu.Unlock()
	return r.open(before) >= l.need[r]
}

// lacks returns the keys that a reader is behind with: the server didn't send it the newest version, or the deletion.
func (l *lane) lacks(r *reader) (keys []string) {
	held := l.contents(r)
	l.wire.mu.Lock()
	defer l.wire.mu.Unlock()
	if maps.Equal(held, r.store) {
		return nil
	}
	for key, rv := range held {
		if r.store[key] != rv {
			keys = append(keys, key)
		}
	}
	for key := range r.store {
		if _, is := held[key]; !is {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// named returns the name of an object of the script in the fault that is played.
func (l *lane) named(what string) string { return "try-" + what + "-" + l.fault }

// begins notes the moment of a fault.
func (l *lane) begins(f *fault) {
	if l.at = time.Since(l.began); !f.calm {
		l.recorder.Mark("fault: " + f.Text)
	}
}

// play plays a fault.
func (l *lane) play(f *fault) (v Verdict, err error) {
	v = Verdict{Fault: f.ID, Resource: f.Text, Within: l.limit, Process: l.trace, trace: l.began}
	l.fault, l.stage, l.after, l.need, l.faultAt = f.ID, "before", nil, nil, time.Now()
	l.o.Progress(f.ID + ": " + f.Text)
	if l.script, err = l.targets(); err != nil {
		return v, err
	}
	if len(l.script) == 0 {
		return v, ErrNothingAsked
	}
	n := l.named
	if err := l.write(l.script, "create "+n("kept"), "create "+n("updated"), "create "+n("deleted"), "update "+n("kept")); err != nil {
		return v, err
	}
	switch l.wait(l.limit, l.inStep) {
	case ended:
		return l.conclude(v, ended), nil
	case late:
		v.Result = NotInStep
		return v, nil
	case stopped:
		return v, l.ctx.Err()
	}
	if err := l.sleep(l.pace.rest); err != nil {
		return v, err
	}
	l.wire.settle()
	l.need = map[*reader]int{}
	for _, r := range l.followers() {
		l.wire.mu.Lock()
		l.need[r] = r.open(time.Now())
		l.wire.mu.Unlock()
		l.read[r.name()] = true
	}
	l.stage, l.faultAt = "during", time.Now()
	if !f.later {
		l.begins(f)
	}
	done, err := f.carryOut(l, f, func() error {
		return l.write(l.script, "update "+n("updated"), "delete "+n("deleted"), "create "+n("created"), "create "+n("new"))
	})
	l.faults.Calm()
	if err != nil {
		return v, err
	}
	if v.Time = l.at; !f.calm {
		l.recorder.Mark("the server is well again")
	}
	over := time.Now()
	got := l.wait(l.limit, l.inStep)
	recovered := time.Now()
	if got == stopped {
		return v, l.ctx.Err()
	}
	v.After = recovered.Sub(over)
	later := func() error {
		l.stage = "after"
		err := l.write(l.script, "update "+n("kept"), "delete "+n("new"), "create "+n("later"))
		if err == nil && l.after != nil {
			err = l.after()
		}
		return err
	}
	if got == happened {
		// What is written later has to come, too, and the client may yet ask too much.
		if err := cmp.Or(later(), l.sleep(l.pace.look)); err != nil {
			return v, err
		}
		if got = l.wait(max(l.pace.hold, l.limit-v.After), l.inStep); got == stopped {
			return v, l.ctx.Err()
		}
		if got != happened {
			recovered, v.After = time.Now(), time.Since(over)
		}
	}
	v.recovered = recovered
	if !done && got == happened {
		v.Result = NotAsked
		return v, nil
	}
	if v = l.conclude(v, got); l.usual == nil || got == ended {
		return v, nil
	}
	limit := l.pace.hold + l.pace.look
	if l.stage != "after" {
		err = later()
	} else {
		limit = max(limit, l.limit-time.Since(over))
	}
	if err == nil {
		var wrong []Problem
		wrong, err = l.compare(limit)
		v.Problems = append(v.Problems, wrong...)
	}
	return v, err
}
