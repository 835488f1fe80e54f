package main

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/world"
)

// versions is what the version command prints.
type versions struct {
	Version  string          `json:"version"`
	Commit   string          `json:"commit,omitempty"`
	Date     string          `json:"date,omitempty"`     // the commit's, RFC 3339
	Modified bool            `json:"modified,omitempty"` // the source differs from the commit
	Go       string          `json:"go"`
	Profiles []profileAnswer `json:"profiles"`
}

// profileAnswer is a profile that --profile can name.
type profileAnswer struct {
	Name     string `json:"name"`
	ClientGo string `json:"clientGo"`
}

func versionCommand() *cobra.Command {
	var o output
	c := &cobra.Command{
		Use:   "version",
		Short: "print the version, the commit, and the versions of client-go that can be played",
		Args:  noArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return printVersion(c.OutOrStdout(), o) },
	}
	outputFlag(c, &o)
	return c
}

func printVersion(w io.Writer, o output) error {
	v := builtFrom()
	if o != asText {
		return newDocuments(w, o, true).print(v)
	}
	text := "informerscope " + v.Version + "\n"
	if v.Commit != "" {
		text += "commit    " + v.Commit + " of " + v.Date
		if v.Modified {
			text += ", modified"
		}
		text += "\n"
	}
	text += "built by  " + v.Go + "\n"
	for i, p := range v.Profiles {
		text += fmt.Sprintf("%-9s %-8s client-go %s\n", title("profiles", i), p.Name, p.ClientGo)
	}
	_, err := io.WriteString(w, text)
	return err
}

func builtFrom() versions {
	v := versions{Version: "devel", Go: "an unknown Go"}
	for _, p := range world.Profiles() {
		v.Profiles = append(v.Profiles, profileAnswer{p.Name, p.Versions})
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

// version is the version in one line: the module's where one was released, else
// the commit.
func version() string {
	v := builtFrom()
	if v.Version == "devel" && v.Commit != "" {
		return "devel " + v.Commit
	}
	return v.Version
}
