package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/report"
)

// handlerFlags are the --handler flags: NAME[,resync=3s][,from=4.2s][,until=50s][,takes=20ms].
type handlerFlags []report.Handler

func (h *handlerFlags) String() string { return "" }

func (h *handlerFlags) Set(text string) error {
	name, options, _ := strings.Cut(text, ",")
	if name == "" {
		return errors.New("a handler needs a name")
	}
	if slices.ContainsFunc(*h, func(o report.Handler) bool { return o.Name == name }) {
		return fmt.Errorf("there are two handlers %q", name)
	}
	out := report.Handler{Name: name}
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
			out.Until = int64(d)
		case "takes":
			out.Takes = int64(d)
		default:
			return fmt.Errorf("a handler has no %q", key)
		}
	}
	*h = append(*h, out)
	return nil
}

// reportOptions are report's flags and arguments.
type reportOptions struct {
	names         []string
	how           report.Options
	notifications bool
	asJSON        bool
	quiet         bool
	strict        bool
}

// reportFlags parses them. It returns nil if that is all there is to do.
func reportFlags(args []string, stderr io.Writer) (*reportOptions, error) {
	o := &reportOptions{}
	flags := flag.NewFlagSet("informerscope report", flag.ContinueOnError)
	flags.SetOutput(stderr)
	profile := flags.String("profile", "current", "the client-go `version` that plays, or a profile's name")
	resync := flags.Duration("resync", 0, "the informer's resync `period`; by default the longest that a handler asks for")
	flags.StringVar(&o.how.Resource, "resource", "", "play only this `resource` of the capture, such as pods")
	flags.BoolVar(&o.asJSON, "json", false, "print one JSON document")
	flags.BoolVar(&o.notifications, "notifications", false, "print every call of every handler as a JSON line, and nothing else")
	flags.BoolVar(&o.quiet, "quiet", false, "show no progress")
	flags.BoolVar(&o.strict, "strict", false, "report nothing if some of it can't be read")
	flags.Var((*handlerFlags)(&o.how.Handlers), "handler", "a handler: `NAME[,resync=3s][,from=4.2s][,until=50s][,takes=20ms]`, times counted from the capture's start; may be repeated")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Plays captures to an informer with these handlers, every response at its recorded time, and\nprints what can be said of the capture, of the queue and of how far the handlers fell behind.\nWithout --handler there is one that takes no time.\n\nA FILE is of any format that can be opened, compressed with gzip, with zstd or not; - is the\nstandard input. Several are put together on one clock.\nIf some of a FILE can't be read, the rest is reported and the exit status is 3.\n\nUsage:\n  informerscope report FILE… [--profile v0.37.2] [--handler NAME…] [--json | --notifications]\n\nFlags:")
		flags.PrintDefaults()
	}
	names, err := files(flags, args, math.MaxInt)
	if err != nil || names == nil {
		return nil, err
	}
	o.names = names
	wrong := func(text string, args ...any) error {
		err := fmt.Errorf(text, args...)
		fmt.Fprintln(stderr, "informerscope report:", err)
		return usageError{err}
	}
	var ok bool
	if o.how.Profile, ok = world.ProfileFor(*profile); !ok {
		return nil, wrong("there is no profile %q", *profile)
	}
	o.how.Resync = int64(*resync)
	if o.asJSON && o.notifications {
		return nil, wrong("either --json or --notifications")
	}
	if len(o.how.Handlers) == 0 {
		o.how.Handlers = []report.Handler{{Name: "handler"}}
	}
	return o, nil
}
