package play

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// Options is how a capture is played, as flags say it.
type Options struct {
	Report  report.Options
	Profile string // as the user has named it
	resync  time.Duration
	work    time.Duration
}

// Flags adds the flags to a command.
func (o *Options) Flags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&o.Profile, "profile", "current", "play as this `version` of client-go, or as this profile")
	c.RegisterFlagCompletionFunc("profile", cli.CompleteProfiles)
	flags.Var((*handlerFlags)(&o.Report.Handlers), "handler", "add a `handler`; may be given several times")
	flags.DurationVar(&o.resync, "resync", 0, "the informer's resync `period`; by default the longest that a handler asks for")
	flags.StringVar(&o.Report.Resource, "resource", "", "play only this `resource` of the capture, such as pods")
	flags.BoolVar(&o.Report.Streaming, "streaming-lists", false, "ask for streaming lists where the version does, though the capture has ordinary ones")
	flags.DurationVar(&o.work, "work", 3*time.Millisecond, "how long each reconcile takes, if a handler feeds the workqueue")
}

// Check fills in How by the flags.
func (o *Options) Check() (err error) {
	o.Report.Resync, o.Report.WorkTime = int64(o.resync), int64(o.work)
	o.Report.Profile, err = cli.ProfileFor(o.Profile)
	return err
}

// TellNewer says which of the versions are newer than what is known, and are played as an older one.
func TellNewer(stderr io.Writer, versions ...string) {
	for _, name := range versions {
		if played, newer := world.Newer(name); newer {
			fmt.Fprintf(stderr, "client-go %s is newer than what is known; it is played as %s\n", cli.Printable(name), played)
		}
	}
}

// handlerFlags are the values of --handler, such as audit,resync=30s,takes=20ms.
type handlerFlags []report.Handler

func (h *handlerFlags) String() string { return "" }
func (h *handlerFlags) Type() string   { return "handler" }

func (h *handlerFlags) Set(text string) error {
	name, options, _ := strings.Cut(text, ",")
	if name == "" {
		return fmt.Errorf("invalid handler %q; want a name first", text)
	}
	if slices.ContainsFunc(*h, func(o report.Handler) bool { return o.Name == name }) {
		return fmt.Errorf("there are two handlers %q", name)
	}
	out := report.Handler{Name: name}
	for _, option := range strings.Split(options, ",") {
		switch option {
		case "":
			continue
		case "workqueue":
			out.Workqueue = true
			continue
		}
		key, value, _ := strings.Cut(option, "=")
		to := map[string]*int64{"resync": &out.Resync, "from": &out.From, "until": &out.Until, "takes": &out.Duration}[key]
		if to == nil {
			return fmt.Errorf("unknown handler option %q; want resync, from, until, takes or workqueue", key)
		}
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return fmt.Errorf("invalid duration in %q; want, for example, %s=20ms", option, key)
		}
		*to = int64(d)
	}
	*h = append(*h, out)
	return nil
}

// Recorded reads the inputs for the calls of recorded handlers and for the work of recorded
// controllers, and returns both by resource. There are none for the standard input, which can't be read
// twice, and for inputs that need converting, which have no calls of their own.
func Recorded(c *files.Captures) (map[string]*report.InferredHandlers, map[string]*feed.Controller, error) {
	if len(c.Inputs) != 1 || c.Inputs[0].Loose || c.Inputs[0].Size == 0 {
		return nil, nil, nil
	}
	var scan *report.Scan
	_, err := c.Direct(c.Inputs[0], func(t *trace.Trace) func() error {
		scan = report.NewScan(t)
		return scan.Grown
	})
	switch {
	case c.Ctx.Err() != nil:
		return nil, nil, c.Ctx.Err()
	case err == nil, !errors.Is(err, report.ErrNoCalls) && !errors.As(err, new(format.Foreign)):
		return scan.Inferred(), scan.Controllers(), nil // what is wrong with the input is said when it is played
	}
	return nil, nil, nil
}

// Names returns the names of the handlers that there will be.
func Names(how *report.Options) *ask.Names {
	names := &ask.Names{}
	for _, h := range how.Handlers {
		names.Handlers = append(names.Handlers, h.Name)
	}
	if len(how.Handlers) == 0 {
		if len(how.Recorded)+len(how.Controllers) == 0 {
			names.Handlers = []string{report.DefaultHandler}
		}
		for _, recorded := range how.Recorded {
			for _, h := range recorded.Handlers {
				names.Handlers = append(names.Handlers, h.Name)
			}
		}
	}
	return names
}
