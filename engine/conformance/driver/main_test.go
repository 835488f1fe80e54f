// Package driver plays scripts of operations, one JSON object a line, through the
// engine, and prints a line for each, exactly as the same operations print when
// they run on real client-go. testdata beside this folder holds such scripts,
// and what the real library printed. Only comparisons need it, so it is the test
// binary of this package, under the name of driver:
//
//	go test -c -o build/driver ./engine/conformance/driver
//	build/driver -client-go v0.37.2 < script.jsonl
//	build/driver -client-go v0.37.2 -transport < NAME.json
//	build/driver -controller < NAME.in.jsonl
//	build/driver -controller -runtime 22 < NAME.in.jsonl
package driver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/changes"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/world"
)

// TestMain tests the driver, or is the driver, if the binary is called so.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "driver" {
		drive()
		return
	}
	os.Exit(m.Run())
}

// drive plays what comes from the standard input, as the arguments say.
func drive() {
	version := flag.String("client-go", "", "the `version` of client-go to be, such as "+strings.Join(versions, ", ")+"; "+classicVersion+" unless it is said, and "+currentVersion+" with -controller")
	transport := flag.Bool("transport", false, "play a scenario of a server's transport, and print what the informer does")
	flip := flag.String("flip", "", "turn a `gate` of engine/changes over: off where the version has it, and on where it has not")
	gates := flag.String("gates", "", "print the gates in which the version differs from this `release`, and which -flip can turn over: those of informers, or with -controller those of elections")
	end := flag.Bool("controller", false, "play operations on what stands after the informer: queues, guards, reconcilers")
	minor := flag.Int("runtime", controller.NewestRuntime, "the minor `version` of controller-runtime v0 that -controller is")
	opened := flag.Bool("runtime-gates", false, "print the gates of that version of controller-runtime")
	kubernetes := flag.Int("kubernetes", 0, "print what kube-controller-manager's controllers do in that minor `version` of v1: which of them have a consistency store, and whether a status has terminatingReplicas")
	flag.Parse()
	if *version == "" {
		*version = map[bool]string{false: classicVersion, true: currentVersion}[*end]
	}
	r, err := releaseOf(*version, *flip)
	if err == nil {
		switch {
		case *gates != "":
			r.printGates(os.Stdout, *gates, *end)
		case *opened:
			gates, _ := controller.RuntimeOf(*minor)
			err = json.NewEncoder(os.Stdout).Encode(gates)
		case *kubernetes > 0:
			err = json.NewEncoder(os.Stdout).Encode(map[string]any{"stale": controller.StaleControllers(*kubernetes), "terminating": controller.TerminatingReplicas(*kubernetes)})
		case *transport:
			err = playTransport(r, os.Stdin, os.Stdout)
		case *end:
			err = playController(r, *minor, os.Stdin, os.Stdout)
		default:
			err = play(r, os.Stdin, os.Stdout)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

const (
	classicVersion = "v0.22.17"
	betweenVersion = "v0.24.17"
	batchedVersion = "v0.35.3"
	currentVersion = "v0.37.2"
	betaVersion    = "v0.38.0-beta.0"
)

// transportVersions are those whose transport was measured.
var transportVersions = []string{classicVersion, "v0.28.15", "v0.32.9", batchedVersion, currentVersion}

// versions are those that the driver's own tests play. The driver can play others, too.
var versions = []string{classicVersion, "v0.23.5", betweenVersion, "v0.28.15", "v0.32.9", "v0.34.3", batchedVersion, currentVersion, betaVersion}

// release is the client-go that the driver is.
type release struct {
	version string
	profile world.Profile // with the gates as they are by default
}

// releaseOf returns a version of client-go with one gate of engine/changes turned over, or with none if flip is "". Flipped,
// the driver is no client-go that there has ever been. A comparison has to notice that.
func releaseOf(version, flip string) (release, error) {
	r := release{version: version}
	if name, known := world.Release(version); !known || name != version {
		return r, fmt.Errorf("no such client-go: %s", version)
	}
	r.profile, _ = world.ProfileFor(version)
	if flip == "" {
		return r, nil
	}
	g := changes.Named(flip)
	if g == nil {
		return r, fmt.Errorf("no such gate: %s", flip)
	}
	if !g.Flip(&r.profile) {
		return r, fmt.Errorf("%s means nothing in %s", flip, version)
	}
	return r, nil
}

// printGates prints the gates in which the release differs from another one, and which can be turned over alone: those
// of elections, or all others.
func (r release) printGates(w io.Writer, other string, elections bool) {
	for _, c := range changes.Between(r.version, other) {
		if p := r.profile; (c.Shows == changes.Elections) == elections && c.Flip(&p) {
			fmt.Fprintln(w, c.Name)
		}
	}
}

// play runs the script that r holds and prints to w. A line that is a list begins another script, to which nothing is
// left of what was before: the list has the version of client-go to be, and the gate to be turned over or "".
func play(is release, r io.Reader, w io.Writer) error {
	in, out := bufio.NewReader(r), bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	d, others := newDriver(is), map[[2]string]release{}
	for i := 0; ; {
		text, err := in.ReadBytes('\n')
		if text = bytes.TrimSpace(text); len(text) == 0 {
			if err == io.EOF {
				return out.Flush()
			}
			if err != nil {
				return err
			}
			continue
		}
		if text[0] == '[' {
			var who [2]string
			if err := json.Unmarshal(text, &who); err != nil {
				return fmt.Errorf("the beginning of a script: %w", err)
			}
			other, known := others[who]
			if !known {
				if other, err = releaseOf(who[0], who[1]); err != nil {
					return err
				}
				others[who] = other
			}
			d, i = newDriver(other), 0
			continue
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return fmt.Errorf("operation %d: %w", i, err)
		}
		res := output{"i": i, "op": l.Op}
		d.run(&l, res)
		if err := enc.Encode(res); err != nil {
			return err
		}
		i++
		if in.Buffered() == 0 { // whoever writes the script may wait for it
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}

// line is an operation; which fields it has depends on Op.
type line struct {
	Op string

	Gates map[string]bool

	Kind     string
	Known    *bool
	Replaced bool
	Xform    string
	Keyfn    string
	O        *objectSpec
	Items    []objectSpec
	RV       string
	Batch    bool
	Ret      string

	Indexers []string
	L        map[string]string

	N    int
	Item string
	Ms   int64

	ID, Err, Cont string
	Shard         string // of inf.new: KEY:INDEX/TOTAL; of inf.list: what ShardInfo says, "same" for what was asked for
	ResyncMs      *int64
	Block         bool
	Events        []watchEvent

	Asked  query  `json:"-"`
	Limits limits `json:"-"`
}

// query says which objects of a store an operation means.
type query struct {
	Index string
	Value string // of the index, or a key
	NS    string
	Sel   string
}

// limits describe the rate limiter of a workqueue.
type limits struct {
	Limiter       string // which one
	BaseMs, MaxMs int64
	QPS           float64
	Burst         int
}

// UnmarshalJSON reads an operation. Scripts write all of its fields in one object.
func (l *line) UnmarshalJSON(text []byte) error {
	type fields line // without this method
	for _, part := range []any{(*fields)(l), &l.Asked, &l.Limits} {
		if err := json.Unmarshal(text, part); err != nil {
			return err
		}
	}
	return nil
}

// output is what is printed for an operation. encoding/json sorts its keys.
type output map[string]any

// family plays the operations of one prefix.
type family interface {
	// run does what verb says, and adds to out what it came to.
	run(verb string, l *line, out output)
	// ready reports whether there is anything to play on, since its new.
	ready() bool
	// advance lets virtual time pass, in nanoseconds, and prints the state.
	advance(by int64, out output)
}

// driver plays operations and holds what families share.
type driver struct {
	release
	gates   map[string]bool
	current family // whose operation was the last
	byName  map[string]family
}

func newDriver(is release) *driver {
	d := &driver{release: is, gates: map[string]bool{}}
	queue := &fifoFamily{d: d}
	d.byName = map[string]family{
		"fifo":  queue,
		"known": knownFamily{queue},
		"pipe":  &pipeFamily{infFamily: infFamily{d: d, transforms: is.version >= "v0.23"}},
		"idx":   &idxFamily{d: d},
		"wq":    &wqFamily{d: d},
		"inf":   &infFamily{d: d, transforms: d.transforms()},
	}
	return d
}

// transforms reports whether queues and shared informers can have a transformer.
func (d *driver) transforms() bool { return d.version >= "v0.24" }

// gate reports whether a feature gate is on: in versions that have it, it is so by
// default.
func (d *driver) gate(name string) bool {
	on, set := d.gates[name]
	has := map[string]bool{
		"InOrderInformers": d.profile.InOrder, "AtomicFIFO": d.profile.RealFIFO.Atomic,
		"UnlockWhileProcessingFIFO": d.profile.RealFIFO.Unlock, "InOrderInformersBatchProcess": d.profile.Batch,
	}[name]
	return has && (on || !set)
}

// storeRV reports whether the store's resourceVersion is printed.
func (d *driver) storeRV() bool { return d.profile.Indexer.TrackRV && d.gate("InOrderInformers") }

func (d *driver) run(l *line, out output) {
	prefix, verb, _ := strings.Cut(l.Op, ".")
	switch f := d.byName[prefix]; {
	case l.Op == "config":
		for name, on := range l.Gates {
			d.gates[name] = on
		}
		out["version"] = d.version
	case l.Op == "advance":
		if d.current != nil {
			d.current.advance(l.Ms*1e6, out)
		}
	case f == nil:
		out["err"] = "unknown operation"
	default:
		f.run(verb, l, out)
		if f.ready() {
			d.current = f
		}
	}
}
