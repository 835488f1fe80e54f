package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/apiservercmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/changescmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/comparecmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/controllercmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/convertcmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/costscmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/doctorcmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/fleetcmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/mcpcmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/minimisecmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/opencmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/recordcmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/redactcmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/reportcmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/scriptcmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/servecmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/trycmd"
)

// newRoot builds the tree of commands. Help, completion, man pages and messages
// about mistakes are made from it. name is what a user types for the program.
func newRoot(name string, stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:           "informerscope COMMAND",
		Short:         "A microscope for Kubernetes informers",
		SilenceErrors: true, // run prints them
		SilenceUsage:  true,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: name},

		ValidArgsFunction: completeFiles,
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	showVersion := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *showVersion {
			return printVersion(c.OutOrStdout(), cli.AsText)
		}
		_, err := io.WriteString(c.OutOrStdout(), renamed(c, firstHelp))
		return err
	}
	reportCommand := reportcmd.Command()
	root.AddCommand(opencmd.Command(), opencmd.LearnCommand(), recordcmd.Command(), reportCommand, comparecmd.Command(), costscmd.Command(), controllercmd.Command(), convertcmd.Command(), redactcmd.Command(), minimisecmd.Command(), servecmd.Command(), doctorcmd.Command(), changescmd.Command(), fleetcmd.Command(), trycmd.Command(), apiservercmd.Command(), scriptcmd.RunCommand(), scriptcmd.ExploreCommand(), mcpcmd.Command(),
		versionCommand(), manCommand(), reportcmd.ExpressionsTopic(), files.FormatsTopic(), cli.ExitTopic())
	hideMoved(reportCommand)
	root.SetHelpCommand(helpCommand())
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(c.OutOrStdout(), helpText(c)) })
	root.SetUsageFunc(func(c *cobra.Command) error { c.PrintErr(helpText(c)); return nil })
	root.SetFlagErrorFunc(wrongFlag)
	cobra.EnableCommandSorting = false
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"})
	completion.Use = "completion SHELL"
	completion.Short = "print a completion script for bash, zsh, fish or powershell"
	completion.Args = nil
	completion.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cli.UsageError("a shell is missing: bash, zsh, fish or powershell")
		}
		return cli.UsageError("unknown shell %q; want bash, zsh, fish or powershell", args[0])
	}
	describe(root)
	return root
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "print what a command does, and its flags",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: cli.CompleteCommands,
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if len(rest) > 0 {
				return noCommand(c.Root(), rest)
			}
			if err != nil {
				return err
			}
			found.InitDefaultHelpFlag()
			_, err = fmt.Fprint(c.OutOrStdout(), helpText(found))
			return err
		},
	}
}

// helpText returns the help on c.
func helpText(c *cobra.Command) string {
	var b strings.Builder
	b.WriteString(cmp.Or(c.Long, c.Short) + "\n")
	if !c.Runnable() && !c.HasSubCommands() {
		return b.String()
	}
	b.WriteString("\nUsage:\n  ")
	if c.HasSubCommands() {
		b.WriteString(c.CommandPath() + " COMMAND\n")
	} else {
		b.WriteString(c.UseLine() + "\n")
	}
	section := func(title string, wanted func(*cobra.Command) bool) {
		for _, sub := range c.Commands() {
			if sub.Hidden || !wanted(sub) {
				continue
			}
			if title != "" {
				b.WriteString("\n" + title + ":\n")
				title = ""
			}
			fmt.Fprintf(&b, "  %-12s %s\n", sub.Name(), sub.Short)
		}
	}
	section("Commands", (*cobra.Command).IsAvailableCommand)
	section("Topics of help", (*cobra.Command).IsAdditionalHelpTopicCommand)
	if c.HasExample() {
		b.WriteString("\nExamples:\n" + c.Example + "\n")
	}
	if c.HasAvailableLocalFlags() {
		b.WriteString("\nFlags:\n" + c.LocalFlags().FlagUsagesWrapped(helpWidth()))
	}
	if !c.HasParent() {
		b.WriteString(renamed(c, "\nFor a command's flags: informerscope help COMMAND\n"))
	}
	return b.String()
}

// helpWidth returns how many columns help may take: the terminal's, if there is
// one.
func helpWidth() int {
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 40 {
		return min(w, cli.TextWidth)
	}
	return cli.TextWidth
}

// noCommand returns an error about the first word of args, which names no command.
func noCommand(root *cobra.Command, args []string) error {
	name := ""
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			name = a
			break
		}
	}
	hint := suggestion(root, name, "")
	if hint == "" {
		hint = renamed(root, "; informerscope help lists them")
	}
	return cli.UsageError("unknown command %q%s", name, hint)
}

// suggestion proposes the commands below c that cobra takes to be meant by name. Dashes stand
// before each.
func suggestion(c *cobra.Command, name, dashes string) string {
	c.SuggestionsMinimumDistance = 2
	topics := asCommands(func(add func(string, bool)) {
		for _, sub := range c.Commands() {
			add(sub.Name(), !sub.IsAdditionalHelpTopicCommand())
		}
	})
	near := append(c.SuggestionsFor(name), topics.SuggestionsFor(name)...)
	near = slices.DeleteFunc(near, func(n string) bool {
		return len(n) <= 3 && !strings.HasPrefix(name, n[:1]) // two other letters of three are another word
	})
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + dashes + strings.Join(near, " or "+dashes) + "?"
}

// asCommands returns a command with a command below it for each name that each adds, because cobra proposes commands only.
func asCommands(each func(add func(name string, hidden bool))) *cobra.Command {
	all := &cobra.Command{SuggestionsMinimumDistance: 2}
	each(func(name string, hidden bool) {
		all.AddCommand(&cobra.Command{Use: name, Hidden: hidden, Run: func(*cobra.Command, []string) {}})
	})
	return all
}

// shortList is how many flags an error lists.
const shortList = 12

// flagNames returns the flags of c that its help shows, in its order.
func flagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// wrongFlag turns pflag's errors into one line each.
func wrongFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name, dashes := unknown.GetSpecifiedName(), "--"
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			name, dashes = letters, "-"
		}
		name, _, _ = strings.Cut(name, "=")
		flags := asCommands(func(add func(string, bool)) {
			c.Flags().VisitAll(func(f *pflag.Flag) { add(f.Name, f.Hidden) })
		})
		hint := suggestion(flags, name, "--")
		if known := flagNames(c); hint == "" && len(known) <= shortList {
			hint = "; want " + strings.Join(known, ", ")
		}
		return cli.UsageError("unknown flag %s%s%s", dashes, name, hint)
	case errors.As(err, &empty):
		name := "--" + empty.GetSpecifiedName()
		if empty.GetSpecifiedShortnames() != "" {
			name = name[1:]
		}
		return cli.UsageError("%s needs a value", name)
	case errors.As(err, &bad):
		if want := wantedValue(bad); want != "" {
			return cli.UsageError("invalid --%s %q; want %s", bad.GetFlag().Name, bad.GetValue(), want)
		}
		return cli.UsageError("--%s %q: %v", bad.GetFlag().Name, bad.GetValue(), bad.Unwrap())
	}
	return cli.Exit(cli.ExitUsage, err)
}

// wantedValue says what the value of a flag should have been. It is "" where the flag says so itself.
func wantedValue(bad *pflag.InvalidValueError) string {
	switch bad.GetFlag().Value.Type() {
	case "duration":
		return "a duration, such as 1.5s or 10m"
	case "int", "int64":
		if errors.Is(bad, strconv.ErrRange) {
			return "a smaller number"
		}
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "uint16":
		return "a number from 0 to 65535"
	}
	return ""
}

func versionCommand() *cobra.Command {
	var o cli.Output
	c, _ := cli.New("version", "print the version, the commit, and the versions of client-go that can be played", cli.Args(0, ""),
		func(_ context.Context, _ []string, stdout, _ io.Writer) error { return printVersion(stdout, o) })
	cli.OutputFlag(c, &o)
	return c
}

func printVersion(w io.Writer, o cli.Output) error {
	v := cli.Built()
	return o.Print(w, v, func(out *bufio.Writer) {
		fmt.Fprintf(out, "informerscope %s\n", v.Version)
		if v.Commit != "" {
			modified := ""
			if v.Modified {
				modified = ", modified"
			}
			fmt.Fprintf(out, "commit    %s of %s%s\n", v.Commit, v.Date, modified)
		}
		fmt.Fprintf(out, "built by  %s\n", v.Go)
		for i, p := range v.Profiles {
			fmt.Fprintf(out, "%-9s %-8s client-go %s\n", cli.Title("profiles", i), p.Name, p.ClientGo)
		}
	})
}

func manCommand() *cobra.Command {
	dir := ""
	c := &cobra.Command{
		Use:     "man [COMMAND]",
		Short:   "print a command's man page, or write all of them to a folder",
		Example: "  informerscope man report | man -l -\n  informerscope man --dir /usr/local/share/man/man1",
		Args:    cobra.ArbitraryArgs,

		ValidArgsFunction: cli.CompleteCommands,
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			found, rest, err := root.Find(args)
			switch {
			case dir != "" && len(args) > 0:
				return cli.UsageError("either --dir or a command")
			case len(rest) > 0:
				return noCommand(root, rest)
			case err != nil:
				return err
			}
			root.Long = root.Short + ". It exits with:\n"
			for _, c := range cli.ExitCodes {
				root.Long += fmt.Sprintf("\n**%d**: %s\n", c.Code, c.Meaning)
			}
			root.DisableAutoGenTag = true // it has the day on which the page was made
			header := &doc.GenManHeader{Section: "1", Source: "informerscope " + cli.Version(), Manual: "informerscope"}
			if made, err := time.Parse(time.RFC3339, cli.Built().Date); err == nil {
				header.Date = &made
			}
			if dir != "" {
				return doc.GenManTree(root, header, dir)
			}
			header.Title = strings.ToUpper(strings.ReplaceAll(found.CommandPath(), " ", "-"))
			return doc.GenMan(found, header, c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "write the pages of all commands to this `folder`")
	c.MarkFlagDirname("dir")
	return c
}
