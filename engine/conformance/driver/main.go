// Driver plays scripts of operations, one JSON object a line, through the
// engine, and prints a line for each, exactly as the same operations print when
// they run on real client-go. testdata beside this folder holds such scripts,
// and what the real library printed.
//
//	go run ./engine/conformance/driver -client-go v0.37.2 < script.jsonl
//	go run ./engine/conformance/driver -client-go v0.37.2 -transport < NAME.json
//	go run ./engine/conformance/driver -controller < NAME.in.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/informerscope/informerscope/engine/world"
)

func main() {
	version := flag.String("client-go", classicVersion, "the `version` of client-go to be, such as "+strings.Join(versions, ", "))
	transport := flag.Bool("transport", false, "play a scenario of a server's transport, and print what the informer does")
	end := flag.Bool("controller", false, "play operations on what stands after the informer: queues, guards, reconcilers")
	flag.Parse()
	play := play
	if *transport {
		play = playTransport
	}
	if *end {
		play = func(_ string, r io.Reader, w io.Writer) error { return playController(r, w) }
	}
	if release, known := world.Release(*version); !known || release != *version {
		fmt.Fprintf(os.Stderr, "driver: no such client-go: %s\n", *version)
		os.Exit(2)
	}
	if err := play(*version, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

const (
	classicVersion = "v0.22.17"
	betweenVersion = "v0.24.17"
	batchedVersion = "v0.35.3"
	currentVersion = "v0.37.2"
)

// transportVersions are those whose transport was measured.
var transportVersions = []string{classicVersion, "v0.28.15", "v0.32.9", batchedVersion, currentVersion}

// versions are those that the driver's own tests play. The driver can play others, too.
var versions = []string{classicVersion, "v0.23.5", betweenVersion, "v0.28.15", "v0.32.9", "v0.34.3", batchedVersion, currentVersion}

// play runs the script that r holds and prints to w.
func play(version string, r io.Reader, w io.Writer) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	d := newDriver(version)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<20)
	for i := 0; lines.Scan(); i++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			i--
			continue
		}
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			return fmt.Errorf("operation %d: %w", i, err)
		}
		res := output{"i": i, "op": l.Op}
		d.run(&l, res)
		if err := enc.Encode(res); err != nil {
			return err
		}
		if err := out.Flush(); err != nil { // whoever writes the script may wait for it
			return err
		}
	}
	return lines.Err()
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
	Index    string
	Value    string
	NS       string
	Sel      string
	L        map[string]string

	Limiter       string
	BaseMs, MaxMs int64
	QPS           float64
	Burst, N      int
	Item          string
	Ms            int64

	ID, Err, Cont string
	ResyncMs      *int64
	Block         bool
	Events        []watchEvent
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
	base    world.Profile // with the gates as they are by default
	version string
	gates   map[string]bool
	current family // whose operation was the last
	byName  map[string]family
}

func newDriver(version string) *driver {
	d := &driver{version: version, gates: map[string]bool{}}
	d.base, _ = world.ProfileFor(version)
	queue := &fifoFamily{d: d}
	d.byName = map[string]family{
		"fifo":  queue,
		"known": knownFamily{queue},
		"pipe":  &pipeFamily{infFamily: infFamily{d: d, transforms: version >= "v0.23"}},
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
		"InOrderInformers": d.base.InOrder, "AtomicFIFO": d.base.RealFIFO.Atomic,
		"UnlockWhileProcessingFIFO": d.base.RealFIFO.Unlock, "InOrderInformersBatchProcess": d.base.Batch,
	}[name]
	return has && (on || !set)
}

// storeRV reports whether the store's resourceVersion is printed.
func (d *driver) storeRV() bool { return d.base.Indexer.TrackRV && d.gate("InOrderInformers") }

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
