package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// commandOf names the command that each of these flags of report became, or went to. They work
// until v1.0.
var commandOf = map[string]string{"compare": "compare", "against": "compare", "costs": "costs", "drop": "costs", "controller": "controller"}

// ineffective are the flags of report that were taken beside --costs, --controller and --compare,
// and had no effect there.
var ineffective = []string{"profile", "handler", "resync", "resource", "streaming-lists", "work", "scrape", "force", "annotations"}

// hideMoved gives report the flags that have become commands. Help doesn't show them.
func hideMoved(report *cobra.Command) {
	flags := report.Flags()
	for name := range commandOf {
		if name == "costs" || name == "controller" {
			flags.Bool(name, false, "")
		} else {
			flags.String(name, "", "")
		}
		flags.MarkHidden(name)
	}
}

// withNewName returns args with the command that a flag of report has become: "report --costs FILE"
// is "costs FILE". It says so on stderr.
func withNewName(root *cobra.Command, args []string, stderr io.Writer) ([]string, error) {
	c, rest, err := root.Find(args)
	if err != nil || c.Name() != "report" {
		return args, nil
	}
	c.InitDefaultHelpFlag()
	old := map[string]string{}
	var given [][2]string
	err = c.Flags().ParseAll(rest, func(f *pflag.Flag, value string) error {
		switch {
		case f.Name == "costs" || f.Name == "controller":
			if value == "true" {
				old[f.Name] = ""
			}
		case f.Name == "compare": // it could be given once for each version
			old[f.Name] = strings.TrimPrefix(old[f.Name]+","+value, ",")
		default:
			if f.Name == "against" {
				old[f.Name] = value
			}
			given = append(given, [2]string{f.Name, value})
		}
		return nil
	})
	if err != nil || len(old) == 0 {
		if i := slices.IndexFunc(given, func(g [2]string) bool { return g[0] == "drop" }); err == nil && i >= 0 {
			return nil, cli.Wrong("report --drop is a flag of informerscope costs now")
		}
		return args, nil // what is wrong is said when the command is run
	}
	names := slices.Sorted(maps.Keys(old))
	if len(names) > 1 {
		return nil, cli.Wrong("report --%s are commands of their own; give one of them", strings.Join(names, " and --"))
	}
	name := commandOf[names[0]]
	to, _, err := root.Find([]string{name})
	if err != nil {
		return nil, err
	}
	out, shown := []string{name}, "informerscope "+name
	if versions := old["compare"]; versions != "" {
		out, shown = append(out, versions), shown+" "+versions
	}
	for _, g := range given {
		if to.Flags().Lookup(g[0]) != nil || !slices.Contains(ineffective, g[0]) {
			out = append(out, "--"+g[0]+"="+g[1])
		}
	}
	shown += " FILE"
	if other := old["against"]; other != "" {
		shown += " --against " + other
	}
	fmt.Fprintln(stderr, cli.Printable(renamed(root, fmt.Sprintf("report --%s is a command now, and this spelling works until v1.0: %s", names[0], shown))))
	return append(append(out, "--"), c.Flags().Args()...), nil
}
