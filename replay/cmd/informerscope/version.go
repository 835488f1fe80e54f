package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

func versionCommand() *cobra.Command {
	var o cli.Output
	c := &cobra.Command{
		Use:   "version",
		Short: "print the version, the commit, and the versions of client-go that can be played",
		Args:  cli.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return printVersion(c.OutOrStdout(), o) },
	}
	cli.OutputFlag(c, &o)
	return c
}

func printVersion(w io.Writer, o cli.Output) error {
	v := cli.Built()
	if o != cli.AsText {
		return cli.NewDocuments(w, o, true).Print(v)
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
		text += fmt.Sprintf("%-9s %-8s client-go %s\n", cli.Title("profiles", i), p.Name, p.ClientGo)
	}
	_, err := io.WriteString(w, text)
	return err
}
