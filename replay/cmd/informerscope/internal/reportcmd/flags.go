package reportcmd

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/report"
)

// handlerFlags are the values of --handler, such as audit,resync=30s,takes=20ms.
type handlerFlags []report.Handler

func (h *handlerFlags) String() string { return "" }
func (h *handlerFlags) Type() string   { return "handler" }

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
		switch option {
		case "":
			continue
		case "workqueue":
			out.Workqueue = true
			continue
		}
		key, value, _ := strings.Cut(option, "=")
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return fmt.Errorf("%s: that is no time, such as 1.5s", option)
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

// Play is how a capture is played.
type Play struct {
	How     report.Options
	profile string
	resync  time.Duration
	work    time.Duration
}

// reportOptions are report's flags and arguments.
type reportOptions struct {
	Play
	names         []string
	compare       []string // two versions
	against       string   // another capture
	own           ownWork
	costs         weighing
	notifications bool
	ask           asked
	verdicts      verdicts
	recorded      bool // the capture has calls or reconciles of its own process
	why           string
	chain         *why // what why says; nil if it is empty
	output        cli.Output
	perfetto      string
	metrics       string
	scrape        time.Duration
	force         bool
	spans         *spans    // nil unless --perfetto is set
	exported      *exported // nil unless --metrics is set
	quiet         bool
	strict        bool
}

// newReport returns report's options, and the command that fills them in.
func newReport() (*reportOptions, *cobra.Command) {
	o := &reportOptions{}
	c := &cobra.Command{
		Use:   "report FILE…",
		Short: "play captures to an informer, and say what they hold and how its handlers fared",
		Long: `Plays captures to an informer, with every response at its recorded time. Prints what the
captures hold, how deep the queue got, and how far each handler fell behind. Without --handler
there is one handler, which takes no time.

If a capture of our own format holds the calls of the recorded process's handlers, the engine gets
handlers of the same names, and the report says whether their calls are equal to the recorded calls,
or which ones differ; then the exit code is 4. How a handler was added, and when it was removed, is
worked out from its calls. Each call takes as long as it was recorded to take. Name the version that
was recorded with --profile. With --handler, only the handlers that you name play and are compared;
one that was recorded takes its recorded times, unless takes is set.

If it holds the work of a controller (package replay/record), that is played as it was, too: its workers
take, finish and write when they did, in place of workers of the engine, unless a --handler has
workqueue. The report says of how many Gets the engine's workqueue didn't have the key. --find,
--assert and --why see all of it.

--compare v0.32,v0.37 plays the captures to an informer of each of the two versions, and lists the
handler calls that differ, with the step of the engine and the time of each; then the exit code is 1.
So it is a check before an upgrade. The calls of each handler and key are compared in their order: the
function, the versions of the objects, and whether there is a tombstone. Two updates that became one
are a difference. The order of different keys is none, nor is the time of a call. Whether an object is
in the initial list counts where both versions tell handlers. A resync may come before a change
or after it. Calls that were recorded are not compared then. At the end stands what each version costs.

--against B.trace.jsonl.gz plays another capture as well, to an informer of its own, and lists the
handler calls that differ in the same way; then the exit code is 1, too. Both are read into memory
first. If they have versions of objects in common, they are of one cluster, and are in step by
resourceVersion. Others are in step by the time since each beginning, or by the number of watch events
if one has no times, and their calls are compared without resourceVersions. Resyncs are not compared.

A resource that the recorded client listed is listed, also where the version would ask for a streaming
list. With --streaming-lists it is played as the version asks. Either way the report says which lists
of the capture are played as lists of the other kind.

A FILE is of any format that the page opens, compressed or not, or a folder; - is the standard
input. Several files are put together on one clock. If some of it can't be read, the rest is
reported, and the exit code is 3.

A --handler is NAME[,resync=3s][,from=4.2s][,until=50s][,takes=20ms]: its resync period, when it
is added and removed, counted from the capture's start, and how long each call takes. With
,workqueue each call puts the key on a workqueue, from which one worker reconciles.

--find, --plot and --assert ask about each step by an expression, such as behind("audit") > 1000:
see informerscope help expressions.

--controller is about a recording from within a controller (package replay/record). It plays nothing,
and says which reconciles began before the cache had the controller's own last write for the key, how
long each own write took to come back, what was created twice in between, and which keys were put
off, by what, and for how long. At the end stands what had not ended when the recording did: in the
dump of a controller that is stuck, that is what it waits for. Such an --assert compares stale(),
duplicates(), unseen(), putOff(), reconciles() or errors() with a number; in the parentheses may
stand the name of one controller.

--costs plays nothing either. It says of each resource what the API server sends, what the cache holds
when it is largest, and which fields that is; and how much less it would be without managedFields,
without the fields of --drop, and with metadata only. A --drop such as spec.containers.env goes
through all elements of an array.

With --why NAMESPACE/NAME it prints the chains of one key instead: each watch event, list item,
missing list item and resync, what the queue and the cache made of it, and each handler's call with
the time that it spent at each station; or where it stopped, for a handler that was not told. Add
@STEP or @TIME, such as default/web@1:23.456, for what was on its way then.`,
		Example: `  informerscope report pods.watch.json --handler audit,takes=20ms
  informerscope report a.trace.jsonl.gz --profile v0.37.2 --notifications
  informerscope report a.trace.jsonl.gz --find 'relist() || behind() > 1000'
  informerscope report a.trace.jsonl.gz --handler audit,takes=20ms --assert 'behind("audit") <= 1000' --junit report.xml
  informerscope report pods.watch.json --handler audit,takes=20ms --why default/web
  informerscope report pods.watch.json --compare v0.32,v0.37
  informerscope report a.trace.jsonl.gz --against b.trace.jsonl.gz --resource pods
  informerscope report a.trace.jsonl.gz --controller --assert 'stale() == 0' --assert 'duplicates() == 0'
  informerscope report a.trace.jsonl.gz --costs --drop spec.containers.env --drop 'metadata.annotations["example.com/note"]'
  informerscope report a.trace.jsonl.gz --resource pods --perfetto pods.perfetto.json.gz
  informerscope report a.trace.jsonl.gz --metrics metrics.txt --handler audit,workqueue --scrape 15s
  kubectl get pods -A -w --output-watch-events -o json | informerscope report - -o yaml`,
		Args: cli.Files(math.MaxInt),
	}
	flags := c.Flags()
	flags.SortFlags = false
	cli.OutputFlag(c, &o.output)
	flags.BoolVar(&o.notifications, "notifications", false, "print every call of every handler as a JSON line, and nothing else")
	flags.StringVar(&o.perfetto, "perfetto", "", "also write what each actor did, and when, to this `file`, for ui.perfetto.dev or chrome://tracing; it is compressed if the name ends in .gz")
	flags.StringVar(&o.metrics, "metrics", "", "also write to this `file`, as OpenMetrics text, what client-go would have exported about the informer (from v0.36) and its workqueue; it is compressed if the name ends in .gz")
	flags.DurationVar(&o.scrape, "scrape", time.Second, "how often the file of --metrics has a sample; in a long capture less often, as the standard error then says")
	flags.BoolVar(&o.force, "force", false, "replace such a file if it is there already, once all is written")
	o.Play.Flags(c)
	flags.StringSliceVar(&o.compare, "compare", nil, "play as these two `versions` of client-go, and list the handler calls that differ")
	flags.StringVar(&o.against, "against", "", "play this other `capture` as well, and list the handler calls that differ")
	flags.BoolVar(&o.own.on, "controller", false, "say what the captures tell of a controller's own reconciles, writes and workqueue, and nothing else")
	flags.BoolVar(&o.costs.on, "costs", false, "say what the objects of the captures cost in bytes, by field, and what would be left of them, and nothing else")
	flags.StringArrayVar(&o.costs.drop, "drop", nil, "with --costs, say what would be left without this `field`; may be given several times")
	o.ask.flags(c)
	o.verdicts.flags(c)
	flags.StringVar(&o.why, "why", "", "print what came of each event and list of this `key`, and what each call of a handler came of")
	flags.BoolVar(&o.strict, "strict", false, "report nothing if some of it can't be read")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress")
	c.MarkFlagsMutuallyExclusive("profile", "compare")
	for _, other := range []string{"notifications", "why", "find", "plot", "assert"} {
		c.MarkFlagsMutuallyExclusive(other, "compare")
		c.MarkFlagsMutuallyExclusive(other, "against")
	}
	c.MarkFlagsMutuallyExclusive("compare", "against")
	c.MarkFlagsMutuallyExclusive("perfetto", "against")
	c.MarkFlagsMutuallyExclusive("metrics", "against")
	c.MarkFlagsMutuallyExclusive("controller", "costs", "compare", "against")
	c.RunE = func(c *cobra.Command, names []string) error {
		o.names = names
		if err := o.check(); err != nil {
			return err
		}
		for _, name := range append([]string{o.profile}, o.compare...) {
			if played, newer := world.Newer(name); newer {
				fmt.Fprintf(c.ErrOrStderr(), "client-go %s is newer than what is known; it is played as %s\n", cli.Printable(name), played)
			}
		}
		if o.costs.on {
			return o.runCosts(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		}
		if o.own.on {
			return o.runController(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		}
		if o.against != "" {
			return o.runAgainst(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		}
		return o.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
	}
	return o, c
}

// Flags adds the flags to a command.
func (p *Play) Flags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&p.profile, "profile", "current", "play as this `version` of client-go, or as this profile")
	flags.Var((*handlerFlags)(&p.How.Handlers), "handler", "add a `handler`; may be given several times")
	flags.DurationVar(&p.resync, "resync", 0, "the informer's resync `period`; by default the longest that a handler asks for")
	flags.StringVar(&p.How.Resource, "resource", "", "play only this `resource` of the capture, such as pods")
	flags.BoolVar(&p.How.Streaming, "streaming-lists", false, "ask for streaming lists where the version does, though the capture has ordinary ones")
	flags.DurationVar(&p.work, "work", 3*time.Millisecond, "how long each reconcile takes, if a handler feeds the workqueue")
	c.RegisterFlagCompletionFunc("profile", cli.CompleteProfiles)
}

// Check fills in How by the flags.
func (p *Play) Check() (err error) {
	p.How.Resync, p.How.WorkTime = int64(p.resync), int64(p.work)
	p.How.Profile, err = cli.ProfileFor(p.profile)
	return err
}

// check finds mistakes, and fills in what follows from the flags.
func (o *reportOptions) check() (err error) {
	if o.verdicts.junit != "" && len(o.ask.asserts) == 0 {
		return cli.Wrong("--junit writes what came of --assert; give one")
	}
	if o.notifications && o.output == cli.AsYAML {
		return cli.Wrong("--notifications prints JSON lines, and no yaml")
	}
	if o.notifications && o.ask.find+o.ask.plot != "" {
		return cli.Wrong("--notifications prints calls, and nothing that is found or plotted")
	}
	if o.why != "" {
		if o.notifications || o.output != cli.AsText {
			return cli.Wrong("--why prints text: leave out --notifications and --output")
		}
		w, err := parseWhy(o.why)
		if err != nil {
			return cli.Wrong("--why %w", err)
		}
		o.chain = &w
	}
	if o.perfetto == files.Stdin {
		return cli.Wrong("--perfetto needs a file: the report is on the standard output")
	}
	if o.metrics == files.Stdin {
		return cli.Wrong("--metrics needs a file: the report is on the standard output")
	}
	if o.scrape < time.Millisecond {
		return cli.Wrong("--scrape %v is too short: 1ms is the shortest", o.scrape)
	}
	if o.own.on {
		return o.checkController()
	}
	if o.costs.on {
		return o.checkCosts()
	}
	if len(o.costs.drop) > 0 {
		return cli.Wrong("--drop says what is left out with --costs")
	}
	if err := o.ask.check(o.output); err != nil {
		return err
	}
	if err := o.Play.Check(); err != nil || len(o.compare) == 0 {
		return err
	}
	if len(o.compare) != 2 {
		return cli.Wrong("--compare takes two versions, such as v0.32,v0.37")
	}
	if o.How.Profile, err = cli.ProfileFor(o.compare[0]); err != nil {
		return err
	}
	second, err := cli.ProfileFor(o.compare[1])
	o.How.Against = &second
	return err
}
