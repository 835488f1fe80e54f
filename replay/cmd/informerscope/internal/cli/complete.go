package main

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// oneOf completes an argument or a flag's value with one of words.
func oneOf(words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return begin(words, begun), cobra.ShellCompDirectiveNoFileComp
	}
}

func begin(words []string, begun string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, begun) })
}

// completeCommands completes the name of a command.
func completeCommands(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
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

// completeContexts completes with the contexts that kubectl knows.
func completeContexts(program, kubeconfig *string) cobra.CompletionFunc {
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
