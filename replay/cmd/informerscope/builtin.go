package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

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
