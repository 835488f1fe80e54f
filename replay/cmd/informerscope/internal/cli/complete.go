package cli

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

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
	of, _, err := c.Root().Find(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, sub := range of.Commands() {
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
