package main

import (
	"bufio"
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
		Args:  cli.Args(0, ""),
		RunE:  func(c *cobra.Command, _ []string) error { return printVersion(c.OutOrStdout(), o) },
	}
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
