package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

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
