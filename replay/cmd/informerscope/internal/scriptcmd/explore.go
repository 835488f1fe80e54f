package scriptcmd

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/explore"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// ExploreCommand returns "informerscope explore".
func ExploreCommand() *cobra.Command {
	var o cli.Output
	states, patience := 0, time.Duration(0)
	c := &cobra.Command{
		Use:   "explore FILE",
		Short: "answer what a script asks by trying every interleaving",
		Args:  cli.Files(1),
		RunE: func(c *cobra.Command, names []string) error {
			stdin, stdout := c.InOrStdin(), c.OutOrStdout()
			limits := explore.Limits{States: states, Patience: int64(patience)}
			return UntilDone(c.Context(), func() error { return exploreFile(names[0], stdin, limits, o, stdout) })
		},
	}
	cli.OutputFlag(c, &o)
	c.Flags().IntVar(&states, "states", 1_000_000, "give up after so `many` states")
	c.Flags().DurationVar(&patience, "patience", 0, "how much `later` than it could a goroutine may move (default "+time.Duration(explore.Patience).String()+")")
	return c
}

func exploreFile(name string, stdin io.Reader, limits explore.Limits, o cli.Output, stdout io.Writer) error {
	text, err := readText(name, stdin)
	if err != nil {
		return err
	}
	s, err := script.Parse(text)
	if err != nil {
		return placed(name, err)
	}
	out := bufio.NewWriter(stdout)
	docs := cli.NewDocuments(out, o, false)
	question, late := "", false
	asked, err := script.Explore(s, limits, func(e script.Entry) {
		switch {
		case e.Kind == script.Statement:
			question = e.Text
		case e.Kind != script.Answer:
		case o != cli.AsText:
			docs.Print(answer{Line: e.Line, Question: question, Answer: e.Text, Schedule: e.Schedule, States: e.States})
		default:
			fmt.Fprintf(out, "%s\n  %s\n", question, e.Text)
			late = late || !strings.HasPrefix(e.Text, "yes")
		}
	})
	if late {
		fmt.Fprintf(out, "\nNo goroutine moved more than %v later than it could. --patience lets them wait longer.\n", time.Duration(cmp.Or(limits.Patience, explore.Patience)))
	}
	if flushed := out.Flush(); flushed != nil {
		return flushed
	}
	switch {
	case err != nil:
		return placed(name, err)
	case !asked:
		return errors.New(name + ": the script has no can line, so nothing was asked")
	}
	return nil
}

// answer is a question of the script with its answer.
type answer struct {
	Line     int      `json:"line"`
	Question string   `json:"question"`
	Answer   string   `json:"answer"`
	Schedule []string `json:"schedule,omitempty"`
	States   int      `json:"states"`
}
