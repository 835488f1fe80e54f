// Package try finds out whether a client, in whatever language, recovers from faults of the API server and of the network. It
// serves replay/testserver on a loopback port, starts the client as a command, plays faults one after the other, by
// replay/record/whatif, and says from the wire alone what came of each.
//
//	report, err := try.Run(ctx, try.Options{Command: []string{"./controller"}, Fast: true})
//	for _, v := range report.Verdicts { fmt.Println(v.Fault, v.Summary()) }
//
// The command gets the environment of this process, and the server's address in the file that KUBECONFIG names. An error of [Run] says that the command couldn't be tried. What the client does wrong is no error: it is in the [Verdict] of a
// fault, as [Verdict.Bad] reports. A run takes minutes, and [Limit] at most.
//
// The server is a model of kube-apiserver without controllers, except for the garbage collector. The wire tells what a client
// asked for and what it was sent. It doesn't tell whether the client has used that.
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

	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
)

// Options say what is tried. The zero values of all but Command are fit for use.
type Options struct {
	Command   []string
	Faults    []string          // which are played, by their IDs; nil for all
	Within    time.Duration     // how long a client may take to recover; 0 is a minute, or 20 s with Fast, and more where a right client takes longer
	Fast      bool              // waits less between faults
	Seed      uint64            // of the server
	Resources []string          // which the script writes; nil for those that the command lists and watches
	Objects   []map[string]any  // what is there when the command starts, definitions of custom resources among it
	Folder    string            // where the traces are written; "" for nowhere
	Output    io.Writer         // what the command prints; nil for nowhere
	Progress  func(text string) // gets a line when a fault begins and when it ends; nil for none
}

// Limit is how long Run takes at most.
const Limit = 5 * time.Minute

// pace is how long things last. Start is how long a command may take until it follows something.
type pace struct{ rest, hold, look, within, start time.Duration }

// Faults returns the IDs and the descriptions of the faults, in their order.
func Faults() (all [][2]string) {
	for _, f := range faults {
		all = append(all, [2]string{f.ID, f.Text})
	}
	return all
}

// ErrNothingAsked says that the command lists and watches nothing that the script could write.
var ErrNothingAsked = errors.New("there is nothing to try")

// Run tries a command. It returns when all faults were played, when ctx is done, or after Limit. The error is [ErrNothingAsked],
// the error of ctx, or says why the command can't be tried; the Report then has what was found before. A command that ends in a fault has
// the Result [Ended].
func Run(ctx context.Context, o Options) (*Report, error) {
	p := pace{rest: time.Second, hold: 3 * time.Second, look: 3 * time.Second, within: time.Minute, start: time.Minute}
	if o.Fast {
		p = pace{rest: 300 * time.Millisecond, hold: 2500 * time.Millisecond, look: 1200 * time.Millisecond, within: 20 * time.Second, start: time.Minute}
	}
	return runAt(ctx, o, p)
}

// runAt does what Run does, at a pace.
func runAt(ctx context.Context, o Options, p pace) (*Report, error) {
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
				if errs[i] = l.run(ctx); errs[i] != nil && !isStart(errs[i]) {
					cancel()
				}
			})
		}
	}
	all.Wait()
	for i, err := range errs {
		if other := 1 - i; isStart(err) && lanes[other] != nil && !isStart(errs[other]) {
			lanes[i].leaveOut(err)
			errs[i] = nil
		}
	}
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
	lived    time.Duration // how long the lane has waited, in ticks
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
	calmTo  time.Time     // when the first fault of the process began
	at      time.Duration // of what the fault is about, in the trace
	fault   string
	script  []*target
	need    map[*reader]int // of all followers, how many watches were open before
	after   func() error    // what is written when it is over
	stage   string
	epoch   int // counts backups
	truths  map[*reader]truth
	watched time.Time // the client has had a second to be sent something by watches that were open then

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
		v, err := l.playNext(&f, len(l.plan)-i)
		if err != nil {
			return err
		}
		l.verdicts = append(l.verdicts, v)
		l.o.Progress(f.ID + ": " + v.Text())
	}
	return nil
}

// playNext plays a fault in its part of the time that is left, if that is enough. So many are left with it.
func (l *lane) playNext(f *fault, left int) (v Verdict, err error) {
	v = Verdict{Fault: f.ID, Resource: f.Text, Result: NotPlayed}
	if l.process == nil {
		if err := l.begin(); isStart(err) {
			v.Reason = "started again: " + err.Error()
			return v, nil
		} else if err != nil {
			return v, err
		}
	}
	within := cmp.Or(l.o.Within, max(l.pace.within, f.needs))
	least, rests, there := min(within, max(f.needs, 10*time.Second)), l.pace.rest+l.pace.hold+l.pace.look, time.Until(l.deadline)
	if l.limit = min(within, max(there/time.Duration(left)-rests, min(least, there-rests))); l.limit < least {
		v.Reason = noTimeLeft
		return v, nil
	}
	if v, err = l.play(f); isStart(err) {
		v.Result, v.Reason = NotPlayed, err.Error()
		return v, l.stop()
	} else if err != nil {
		return v, err
	}
	said := []string{f.ID + ": " + v.outcomeText()}
	for _, p := range v.Problems {
		said = append(said, p.String())
	}
	l.recorder.Mark(strings.Join(said, "; "))
	v.Helps = v.remedy(f)
	if v.lost() {
		err = l.stop()
	}
	return v, err
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

// startError says why a command that was started doesn't follow anything.
type startError struct{ error }

func (e *startError) Unwrap() error { return e.error }

func isStart(err error) bool {
	var e *startError
	return errors.As(err, &e)
}

// leaveOut says of the faults that are left why they aren't played.
func (l *lane) leaveOut(why error) {
	for _, f := range l.plan[len(l.verdicts):] {
		l.verdicts = append(l.verdicts, Verdict{Fault: f.ID, Resource: f.Text, Result: NotPlayed, Reason: "a second process of the command: " + why.Error()})
	}
}

// begin starts the command, and waits until it follows something and asks for nothing new. The error is a *startError if the command
// doesn't.
func (l *lane) begin() (err error) {
	l.wire.forget()
	l.faults.Calm()
	if err := l.record(); err != nil {
		return err
	}
	if l.process, err = start(l.o, l.port.kubeconfig()); err != nil {
		return cmp.Or(l.close(), err)
	}
	l.need, l.truths, l.calmTo = map[*reader]int{}, map[*reader]truth{}, time.Time{}
	known, since, told := 0, l.lived, false
	switch l.wait(l.pace.start, func() bool {
		n := len(l.followers())
		if n != known {
			known, since = n, l.lived
		}
		if n == 0 && l.lived-since > 5*time.Second && !told {
			told = true
			l.o.Progress("the command keeps no watch open yet; it " + l.wire.did())
		}
		return known > 0 && l.lived-since > max(l.pace.rest, time.Second)
	}) {
	case ended:
		err = &startError{fmt.Errorf("the command has ended before it kept a watch open: %s", l.process.describeEnd())}
	case late, noTime:
		err = &startError{fmt.Errorf("%w: the command kept no watch open within %s, nor did it list again and again; it %s", ErrNothingAsked, plain.Duration(int64(time.Since(l.began).Round(time.Second))), l.wire.did())}
	case stopped:
		return l.ctx.Err()
	}
	if err != nil {
		return cmp.Or(l.stop(), err)
	}
	l.note(time.Now())
	return nil
}

// note takes note of all followers, and of their watches that are open and were asked for before a time.
func (l *lane) note(before time.Time) {
	all := l.followers()
	l.wire.mu.Lock()
	defer l.wire.mu.Unlock()
	for _, r := range all {
		l.need[r] = max(r.open(before), min(l.need[r], 1))
		l.read[r.name()] = true
	}
}

// followers returns the readers that keep a watch open, or list again and again.
func (l *lane) followers() (all []*reader) {
	l.wire.mu.Lock()
	defer l.wire.mu.Unlock()
	for _, r := range l.wire.readers {
		lists, watches := 0, 0
		for _, x := range r.requests {
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
	noTime  // the lane has none left
	ended   // the command has
	stopped // by ctx
)

// tick is how often a lane looks at the world. Where a client is given time, it is given ticks: on a machine that stalls they come late,
// and what comes late counts once. So nobody is blamed for a time in which the machine didn't let this process do anything either.
const tick = 20 * time.Millisecond

// wait waits until something is true, which it looks at with each tick, and whenever something has happened on the wire.
func (l *lane) wait(limit time.Duration, is func() bool) outcome {
	again := time.NewTicker(tick)
	defer again.Stop()
	for over := l.lived + limit; ; {
		select {
		case <-l.process.ended:
			return ended
		default:
		}
		switch {
		case is():
			return happened
		case l.lived >= over:
			return late
		case time.Now().After(l.deadline):
			return noTime
		}
		select {
		case <-again.C:
			l.lived += tick
		case <-l.wire.news:
		case <-l.process.ended:
		case <-l.ctx.Done():
			return stopped
		}
	}
}

// sleep lets time pass. It returns the context's error if that ends before.
func (l *lane) sleep(d time.Duration) error {
	again := time.NewTicker(tick)
	defer again.Stop()
	for over := l.lived + d; l.lived < over && time.Now().Before(l.deadline); l.lived += tick {
		select {
		case <-again.C:
		case <-l.ctx.Done():
			return l.ctx.Err()
		}
	}
	return nil
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

// inStep reports whether all followers were sent everything, and have their watches open.
func (l *lane) inStep() bool {
	return !slices.ContainsFunc(l.followers(), func(r *reader) bool { return !l.healthy(r, time.Now()) || len(l.lacks(r)) > 0 })
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

// ready waits until the client follows, as it has done since it was started, and for a rest has not fallen behind.
func (l *lane) ready() outcome {
	for r, n := range l.need {
		l.need[r] = min(n, 1)
	}
	for range 5 {
		if got := l.wait(l.limit, l.inStep); got != happened {
			return got
		}
		since := time.Now()
		if l.sleep(l.pace.rest) != nil {
			return stopped
		}
		if l.inStep() {
			l.note(since)
			l.wire.settle()
			return happened
		}
	}
	return late
}

// errNotReady is the error of a fault that was not played, because the client was not sent everything before.
var errNotReady = errors.New("not everything was sent to the client before the fault")

const noTimeLeft = "too little was left of the five minutes; --only plays it alone"

// notPlayed says why a fault wasn't played.
func (l *lane) notPlayed(v Verdict, got outcome) (Verdict, error) {
	switch v.Result = NotPlayed; got {
	case stopped:
		return v, l.ctx.Err()
	case ended:
		v.Reason = "the command ended before: " + l.process.describeEnd()
	case noTime:
		v.Reason = noTimeLeft
	default:
		v.Reason = errNotReady.Error() + ", within " + plain.Duration(int64(l.limit.Round(time.Second)))
		for _, r := range l.followers() {
			if lacks := l.lacks(r); len(lacks) > 0 {
				v.Reason += "; of " + r.name() + ", " + lacks[0]
				break
			}
		}
	}
	return v, nil
}

// play plays a fault.
func (l *lane) play(f *fault) (v Verdict, err error) {
	v = Verdict{Fault: f.ID, Resource: f.Text, Within: l.limit, Process: l.trace, trace: l.began}
	l.fault, l.stage, l.after, l.faultAt = f.ID, "before", nil, time.Now()
	if !f.calm {
		l.o.Progress(f.ID + ": " + f.Text)
	} else {
		l.o.Progress(map[bool]string{true: "second process: ", false: "first process: "}[l.name == "beside"] + f.Text)
	}
	if l.script, err = l.targets(); err != nil {
		return v, err
	}
	if len(l.script) == 0 {
		var follows []string
		for _, r := range l.followers() {
			follows = append(follows, r.resource())
		}
		return v, &startError{fmt.Errorf("%w: the command follows %s, and the script writes that only if it is named (--resource)", ErrNothingAsked, strings.Join(follows, ", "))}
	}
	n := l.named
	if err := l.write(l.script, "create "+n("kept"), "create "+n("updated"), "create "+n("deleted"), "update "+n("kept")); err != nil {
		return v, err
	}
	if got := l.ready(); got != happened {
		return l.notPlayed(v, got)
	}
	l.stage, l.faultAt = "during", time.Now()
	if l.calmTo.IsZero() && !f.calm {
		l.calmTo = l.faultAt
	}
	if !f.later {
		l.begins(f)
	}
	done, err := f.carryOut(l, f, func() error {
		return l.write(l.script, "update "+n("updated"), "delete "+n("deleted"), "create "+n("created"), "create "+n("new"))
	})
	l.faults.Calm()
	if errors.Is(err, errNotReady) {
		return l.notPlayed(v, late)
	}
	if err != nil {
		return v, err
	}
	if v.Time = l.at; !f.calm {
		l.recorder.Mark("the server is well again")
	}
	over, lived := time.Now(), l.lived
	got := l.wait(l.limit, l.inStep)
	if got == late {
		// A watch that has just opened may yet bring what is lacking.
		l.watched = time.Now()
		got = l.wait(max(time.Second, l.pace.rest), l.inStep)
	}
	recovered := time.Now()
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
		l.watched = time.Now()
		if got = l.wait(max(l.pace.hold, l.limit-(l.lived-lived)), l.inStep); got != happened {
			recovered, v.After = time.Now(), time.Since(over)
		}
	}
	switch v.recovered = recovered; {
	case got == stopped:
		return v, l.ctx.Err()
	case got == noTime:
		return l.notPlayed(v, got)
	case !done && got == happened:
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
		limit = max(limit, l.limit-(l.lived-lived))
	}
	if err == nil {
		var wrong []Problem
		wrong, err = l.compare(limit)
		v.Problems = append(v.Problems, wrong...)
	}
	return v, err
}
