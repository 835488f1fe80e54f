package cli

import "github.com/spf13/cobra"

// NoFormat refuses json and yaml as a file's name: whoever gives them means
// kubectl's -o.
func NoFormat(out string) error {
	switch Output(out) {
	case AsText, AsJSON, AsYAML:
		return Wrong("-o names the file to write, which is always a trace; for a file of that name write ./%s", out)
	}
	return nil
}

// Files accepts one file or more, up to most of them.
func Files(most int) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return Wrong("a file is missing; - is the standard input")
		case len(args) > most:
			return Wrong("unexpected argument %q", args[most])
		}
		return nil
	}
}

// NoArgs accepts no arguments.
func NoArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Wrong("unexpected argument %q", args[0])
	}
	return nil
}
