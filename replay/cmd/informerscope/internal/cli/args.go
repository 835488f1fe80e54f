package cli

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/informerscope/informerscope/engine/world"
)

// NoFormat refuses json and yaml as a file's name: whoever gives them means
// kubectl's -o.
func NoFormat(out string) error {
	switch Output(out) {
	case AsText, AsJSON, AsYAML:
		return UsageError("-o names the file to write, which is always a trace; for a file of that name write ./%s", out)
	}
	return nil
}

// New returns a command that calls run with its arguments, and its flags, which help shows in the order in which they are
// added. An error of the command's context becomes ErrInterrupted.
func New(use, short string, args cobra.PositionalArgs, run func(ctx context.Context, args []string, stdout, stderr io.Writer) error) (*cobra.Command, *pflag.FlagSet) {
	c := &cobra.Command{Use: use, Short: short, Args: args, RunE: func(c *cobra.Command, args []string) error {
		return Interrupted(c.Context(), run(c.Context(), args, c.OutOrStdout(), c.ErrOrStderr()))
	}}
	c.Flags().SortFlags = false
	return c, c.Flags()
}

// Args accepts up to most arguments. Without any it fails, and says that what is missing is missing; with "" it doesn't.
func Args(most int, missing string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 && missing != "":
			return UsageError("%s", missing)
		case len(args) > most:
			return UsageError("unexpected argument %q", args[most])
		}
		return nil
	}
}

// Files accepts one file or more, up to most of them.
func Files(most int) cobra.PositionalArgs {
	return Args(most, "a file is missing; - is the standard input")
}

// OneOf completes an argument or a flag's value with one of words.
func OneOf(words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return begin(words, begun), cobra.ShellCompDirectiveNoFileComp
	}
}

func begin(words []string, begun string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, begun) })
}

// CompleteCommands completes the name of a command.
func CompleteCommands(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	found, _, err := c.Root().Find(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, sub := range found.Commands() {
		if !sub.Hidden {
			out = append(out, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
	}
	return begin(out, begun), cobra.ShellCompDirectiveNoFileComp
}

// CompleteContexts completes with the contexts that kubectl knows.
func CompleteContexts(program, kubeconfig *string) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(c.Context(), 5*time.Second)
		defer cancel()
		args := []string{"config", "get-contexts", "-o", "name"}
		if *kubeconfig != "" {
			args = append(args, "--kubeconfig="+*kubeconfig)
		}
		names, err := exec.CommandContext(ctx, *program, args...).Output()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return begin(strings.Fields(string(names)), begun), cobra.ShellCompDirectiveNoFileComp
	}
}

// ProfileFor returns the profile of that name, or of that version of client-go.
func ProfileFor(name string) (world.Profile, error) {
	if p, ok := world.ProfileFor(name); ok {
		return p, nil
	}
	first, last := world.VersionsKnown()
	return world.Profile{}, UsageError("unknown profile %q; want %s, or a release of client-go from %s to %s", name, strings.Join(world.ProfileNames(), ", "), first, last)
}

// CompleteProfiles completes the name of a profile.
func CompleteProfiles(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var profiles []string
	for _, known := range world.Profiles() {
		profiles = append(profiles, cobra.CompletionWithDesc(known.Name, "client-go "+known.Versions))
	}
	return OneOf(profiles...)(c, args, begun)
}

// Cluster says by flags which cluster a command asks.
type Cluster struct{ Context, Kubeconfig, Kubectl, Server string }

// Flags adds the flags to a command. Server is what --server names.
func (o *Cluster) Flags(c *cobra.Command, server string) {
	flags := c.Flags()
	flags.StringVar(&o.Context, "context", "", "the kubeconfig's `context`; by default the current one")
	flags.StringVar(&o.Kubeconfig, "kubeconfig", "", "the kubeconfig's `file`; by default kubectl's")
	flags.StringVar(&o.Kubectl, "kubectl", "kubectl", "the kubectl `program`")
	flags.StringVar(&o.Server, "server", "", server)
	c.RegisterFlagCompletionFunc("context", CompleteContexts(&o.Kubectl, &o.Kubeconfig))
}

// Check finds mistakes.
func (o *Cluster) Check() error {
	if o.Server != "" && o.Context+o.Kubeconfig != "" {
		return errors.New("--server goes without --context and --kubeconfig: those are kubectl's")
	}
	return nil
}

// ResourceNames returns the names in arguments, which commas part, too.
func ResourceNames(args []string) []string {
	return strings.FieldsFunc(strings.Join(args, ","), func(r rune) bool { return r == ',' })
}

// Agent is what requests of this program say who sends them.
func Agent() string { return "informerscope/" + strings.ReplaceAll(Version(), " ", "-") }

// Releases is where programs are to be had that carry the page.
const Releases = "https://github.com/informerscope/informerscope/releases"

// Versions is what the version command prints.
type Versions struct {
	Version  string    `json:"version"`
	Commit   string    `json:"commit,omitempty"`
	Date     string    `json:"date,omitempty"`     // the commit's, RFC 3339
	Modified bool      `json:"modified,omitempty"` // the source differs from the commit
	Go       string    `json:"go"`
	Profiles []Profile `json:"profiles"`
}

// Profile is a profile that --profile can name.
type Profile struct {
	Name     string `json:"name"`
	ClientGo string `json:"clientGo"`
}

// Built returns what this program was built from.
func Built() Versions {
	v := Versions{Version: "devel", Go: "an unknown Go"}
	for _, p := range world.Profiles() {
		v.Profiles = append(v.Profiles, Profile{p.Name, p.Versions})
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Go = info.GoVersion
	if released := info.Main.Version; released != "" && released != "(devel)" {
		v.Version = released
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Date = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// Version returns the version in one line: the module's where one was released, else
// the commit.
func Version() string {
	v := Built()
	if v.Version == "devel" && v.Commit != "" {
		return "devel " + v.Commit
	}
	return v.Version
}
