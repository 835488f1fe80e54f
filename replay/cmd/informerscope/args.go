package main

import (
	"embed"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
)

// firstHelp is what the program prints when nothing stands behind its name.
const firstHelp = `A microscope for Kubernetes informers. What most people want:

  informerscope FILE…         opens captures, a script or a lesson
  kubectl get pods -A -w --output-watch-events -o json | informerscope open -
  informerscope record pods   lists and watches pods, and writes a capture
  informerscope report FILE   says what is in one, and what an informer does
  informerscope learn         opens the course
  informerscope help          has all commands, and help COMMAND its flags
`

// withOpen returns args with "open" before them where they begin with a file and with no
// command: "informerscope pods.json" opens pods.json.
func withOpen(root *cobra.Command, args []string) []string {
	if len(args) == 0 || args[0] != files.Stdin && strings.HasPrefix(args[0], "-") {
		return args
	}
	if c, _, err := root.Find(args[:1]); err == nil && c != root {
		return args
	}
	if _, err := os.Stat(args[0]); err == nil || args[0] == files.Stdin || strings.ContainsAny(args[0], `./\`) {
		return append([]string{"open"}, args...)
	}
	return args
}

// completeFiles completes the name of a file where no command is meant.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

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
			return nil, cli.UsageError("report --drop is a flag of informerscope costs now")
		}
		return args, nil // what is wrong is said when the command is run
	}
	names := slices.Sorted(maps.Keys(old))
	if len(names) > 1 {
		return nil, cli.UsageError("report --%s are commands of their own; give one of them", strings.Join(names, " and --"))
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

// ownName is what a user types for the program, unless it is a plugin of kubectl.
const ownName = "informerscope"

// nameOf returns what a user types for the program, which was started as the file program.
// kubectl starts its plugins by names that begin with "kubectl-".
func nameOf(program string) string {
	if strings.TrimSuffix(filepath.Base(program), ".exe") == "kubectl-"+ownName {
		return "kubectl " + ownName
	}
	return ownName
}

// commandLine is where a text may show what a user types.
var commandLine = regexp.MustCompile(`\b` + ownName + ` ([\w-]+)`)

// renamed returns text with the program's name as its user types it, wherever a command of
// the tree stands after it.
func renamed(root *cobra.Command, text string) string {
	name := root.DisplayName()
	if name == ownName {
		return text
	}
	return commandLine.ReplaceAllStringFunc(text, func(shown string) string {
		command := strings.TrimPrefix(shown, ownName+" ")
		if c, _, err := root.Find([]string{command}); command == "FILE" || err == nil && c != root {
			return name + " " + command
		}
		return shown
	})
}

// help has a text on each command: what it does, and examples.
//
//go:embed help
var help embed.FS

// describe gives the commands below c their texts, and renames the program in everything that they say of themselves.
func describe(c *cobra.Command) {
	for _, sub := range c.Commands() {
		if text, err := help.ReadFile("help/" + sub.Name() + ".txt"); err == nil {
			sub.Long, sub.Example, _ = strings.Cut(strings.TrimSuffix(string(text), "\n"), "\n\nExamples:\n")
		}
		sub.Long, sub.Example = renamed(c.Root(), sub.Long), renamed(c.Root(), sub.Example)
		describe(sub)
	}
}
