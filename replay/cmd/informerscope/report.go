package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
)

// reportHandler is one --handler: NAME[,resync=3s][,from=4.2s][,until=50s][,takes=20ms].
type reportHandler struct {
	informer.Handler
	until time.Duration // when it is removed, 0 for never
}

// handlerFlags are all of them.
type handlerFlags []reportHandler

func (h *handlerFlags) String() string { return "" }

func (h *handlerFlags) Set(text string) error {
	name, options, _ := strings.Cut(text, ",")
	if name == "" {
		return errors.New("a handler needs a name")
	}
	if slices.ContainsFunc(*h, func(o reportHandler) bool { return o.Name == name }) {
		return fmt.Errorf("there are two handlers %q", name)
	}
	out := reportHandler{}
	out.Name = name
	for _, option := range strings.Split(options, ",") {
		if option == "" {
			continue
		}
		key, value, _ := strings.Cut(option, "=")
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return fmt.Errorf("%s: not a time, such as 1.5s", option)
		}
		switch key {
		case "resync":
			out.Resync = int64(d)
		case "from":
			out.From = int64(d)
		case "until":
			out.until = d
		case "takes":
			out.Takes = int64(d)
		default:
			return fmt.Errorf("a handler has no %q", key)
		}
	}
	*h = append(*h, out)
	return nil
}

// reportCommand plays a trace to handlers, and prints what they were called
// with.
func reportCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("informerscope report", flag.ContinueOnError)
	flags.SetOutput(stderr)
	profileName := flags.String("profile", "current", "the client-go `version` that plays, or a profile's name")
	resync := flags.Duration("resync", 0, "the informer's resync `period`; by default the longest that a handler asks for")
	resource := flags.String("resource", "", "play only this `resource` of the trace, such as pods")
	notifications := flags.Bool("notifications", false, "print every call as a JSON line, and not only how many there were")
	var handlers handlerFlags
	flags.Var(&handlers, "handler", "a handler: `NAME[,resync=3s][,from=4.2s][,until=50s][,takes=20ms]`, times counted from the trace's start; may be repeated")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Plays a capture to an informer with these handlers, every response at its recorded time,\nand prints what they were called with.\n\nUsage:\n  informerscope report TRACE [--profile v0.37.2] --handler NAME… [--notifications]\n\nFlags:")
		flags.PrintDefaults()
	}
	name, err := oneFile(flags, args)
	if err != nil || name == "" {
		return err
	}
	profile, ok := world.ProfileFor(*profileName)
	if !ok {
		err := fmt.Errorf("there is no profile %q", *profileName)
		fmt.Fprintln(stderr, "informerscope report:", err)
		return usageError{err}
	}
	if len(handlers) == 0 {
		handlers = handlerFlags{{Handler: informer.Handler{Name: "handler"}}}
	}
	t, err := readTrace(name, stderr)
	if err != nil {
		return err
	}
	var played []*trace.Resource
	for _, r := range t.Resources {
		if len(r.Records) > 0 && (*resource == "" || *resource == r.Resource || *resource == r.Name()) {
			played = append(played, r)
		}
	}
	if len(played) == 0 {
		return fmt.Errorf("%s: there is nothing of that in it to play", name)
	}
	out := bufio.NewWriter(stdout)
	for _, r := range played {
		informer := ""
		if len(played) > 1 {
			informer = r.Name()
		}
		if err := report(ctx, t, r, profile, *resync, handlers, *notifications, informer, out); err != nil {
			return err
		}
	}
	return out.Flush()
}

func readTrace(name string, stderr io.Writer) (*trace.Trace, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := file.Read(f, format.Options{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, p := range t.Problems {
		fmt.Fprintf(stderr, "%s: %v\n", name, p)
	}
	return t, nil
}

// called is one call of a handler, as a JSON line.
type called struct {
	Informer  string `json:"informer,omitempty"` // where the trace has several
	Handler   string `json:"handler"`
	Fn        string `json:"fn"`
	Key       string `json:"key"`
	OldRV     string `json:"oldRV,omitempty"`
	RV        string `json:"rv"`
	Initial   bool   `json:"initial,omitempty"`
	Tombstone bool   `json:"tombstone,omitempty"`
	T         int64  `json:"t"` // virtual, in nanoseconds since the trace's start
}

// tally counts a handler's calls.
type tally struct {
	Informer string `json:"informer,omitempty"`
	Handler  string `json:"handler"`
	OnAdd    int    `json:"OnAdd"`
	OnUpdate int    `json:"OnUpdate"`
	OnDelete int    `json:"OnDelete"`
}

// report plays one resource to its end.
func report(ctx context.Context, t *trace.Trace, r *trace.Resource, profile world.Profile, resync time.Duration, handlers handlerFlags, each bool, name string, out io.Writer) error {
	began := max(0, r.Records[0].At-int64(time.Millisecond))
	cfg := informer.Config{Name: r.Name(), Profile: profile, Table: r.Table, Feed: feed.Feed{Trace: t, Resource: r}, Resync: int64(resync)}
	// Those that are there from the beginning are added when it begins, since
	// that is when their resync periods do.
	asked := handlers
	handlers = slices.Clone(handlers)
	slices.SortStableFunc(handlers, func(a, b reportHandler) int { return cmp.Compare(late(b, began), late(a, began)) })
	var first, removals []world.Command
	for i, h := range handlers {
		if resync == 0 {
			cfg.Resync = max(cfg.Resync, h.Resync)
		}
		if late(h, began) > 0 {
			cfg.Handlers = append(cfg.Handlers, h.Handler)
		} else {
			first = append(first, world.Command{Kind: world.AddHandler, Handler: h.Handler})
		}
		if h.until > 0 {
			removals = append(removals, world.Command{Kind: world.RemoveHandler, N: int64(h.until), Listener: i})
		}
	}
	slices.SortStableFunc(removals, func(a, b world.Command) int { return cmp.Compare(a.N, b.N) })
	w, err := world.New(&world.Config{Seed: 1, Informers: []informer.Config{cfg}})
	if err != nil {
		return err
	}
	w.Do(world.Command{Kind: world.PassTime, N: began})
	for _, c := range first {
		w.Do(c)
	}
	end := r.Records[len(r.Records)-1].At
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	tallies := make([]tally, len(handlers))
play:
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		id, ok := next(w)
		if !ok || w.Set.At(id) > end && settled(w) {
			break
		}
		for len(removals) > 0 && removals[0].N <= w.Set.At(id) {
			w.Do(world.Command{Kind: world.PassTime, N: removals[0].N})
			w.Do(removals[0])
			removals = removals[1:]
			if id, ok = next(w); !ok {
				break play
			}
		}
		w.Step(id)
		for _, e := range w.Log.Events {
			if e.Kind != event.HandlerCalled {
				continue
			}
			c := tallies[e.Listener].count(r, handlers[e.Listener].Name, e)
			c.Informer, c.T = name, w.Now()
			if each {
				if err := encoder.Encode(c); err != nil {
					return err
				}
			}
		}
	}
	if each {
		return nil
	}
	for _, h := range asked {
		t := tallies[slices.IndexFunc(handlers, func(o reportHandler) bool { return o.Name == h.Name })]
		t.Informer, t.Handler = name, h.Name
		if err := encoder.Encode(t); err != nil {
			return err
		}
	}
	return nil
}

// late is 1 for a handler that joins while the informer runs, else 0.
func late(h reportHandler, began int64) int {
	if h.From > began {
		return 1
	}
	return 0
}

// next is who moves: unlike the default schedule this goes on with resync timers
// when the recording has nothing more to say.
func next(w *world.World) (id actor.ID, ok bool) {
	id, best := actor.Nobody, actor.Never
	for i, at := range w.Set.Times() {
		if at < best {
			id, best = actor.ID(i), at
		}
	}
	return id, id != actor.Nobody
}

// settled tells whether nobody has anything in hand: what follows would only be
// timers.
func settled(w *world.World) bool {
	_, ok := w.Next()
	return !ok
}

func (t *tally) count(r *trace.Resource, handler string, e event.Event) called {
	rv := func(o object.Ref) string { return r.Table.RVText(r.Table.Meta(o).RV) }
	c := called{Handler: handler, Key: r.Table.KeyText(e.Key), Initial: e.Flags&event.IsInInitialList != 0, Tombstone: e.Flags&event.Tombstone != 0}
	switch e.Delta {
	case event.Added:
		t.OnAdd++
		c.Fn, c.RV = "OnAdd", rv(e.New)
	case event.Updated:
		t.OnUpdate++
		c.Fn, c.OldRV, c.RV = "OnUpdate", rv(e.Old), rv(e.New)
	default:
		t.OnDelete++
		c.Fn, c.RV = "OnDelete", rv(e.Old)
	}
	return c
}
