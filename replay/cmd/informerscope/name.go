package main

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

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

// rename renames the program in everything that the commands below c say of themselves.
func rename(c *cobra.Command) {
	for _, sub := range c.Commands() {
		sub.Long, sub.Example = renamed(c.Root(), sub.Long), renamed(c.Root(), sub.Example)
		rename(sub)
	}
}
