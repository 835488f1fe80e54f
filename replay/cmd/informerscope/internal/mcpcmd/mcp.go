// Package mcpcmd is "informerscope mcp". Its tools are the other commands, run within the process on captures that were opened below the
// folders named at the start.
package mcpcmd

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/mcp"
)

// Command returns "informerscope mcp".
func Command() *cobra.Command {
	values := false
	c := &cobra.Command{
		Use:   "mcp FOLDER…",
		Short: "answer an agent's questions about captures below folders, on the standard input",
		Long: `Is a server of the Model Context Protocol on the standard input and output. It opens files below
the FOLDERs and no others, writes nothing and uses no network. An agent finds out with it what is wrong
in a recording of a controller, why, and at which step; plays scripts; and asks what a release changes.

A model's host is outside of this machine. So the tools see of a capture its shape, as informerscope
redact makes it: names, labels, times and numbers, and tokens in place of other texts. With --values
they see what redact --values keeps.`,
		Example: `  informerscope mcp .
  claude mcp add informerscope -- informerscope mcp ~/recordings`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.UsageError("a folder is missing; . is the present one")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			s, err := newServer(args, values)
			if err != nil {
				return err
			}
			defer s.close()
			in := io.NopCloser(c.InOrStdin())
			err = mcp.NewServer(cli.Version(), s.tools()).Run(c.Context(), &sdk.IOTransport{Reader: in, Writer: unclosed{c.OutOrStdout()}})
			if errors.Is(err, io.EOF) || c.Context().Err() != nil {
				return nil // the client has gone, or Ctrl-C was pressed, which are the usual ends
			}
			return err
		},
	}
	c.Flags().BoolVar(&values, "values", false, "let the agent see values, without what is known to be a secret")
	return c
}

// unclosed is a Writer that whoever gets it doesn't close.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// server is what the tools work on.
type server struct {
	folders []string
	roots   []*os.Root
	values  bool
	key     []byte     // of the tokens, which are the same in all captures
	opened  []*capture // used last comes last
}

func newServer(folders []string, values bool) (*server, error) {
	s := &server{folders: folders, values: values, key: make([]byte, 16)}
	rand.Read(s.key) // never fails
	for _, name := range folders {
		r, err := os.OpenRoot(name)
		if err != nil {
			s.close()
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%s: no such file or folder", name)
			}
			return nil, err
		}
		s.roots = append(s.roots, r)
	}
	return s, nil
}

func (s *server) close() {
	for _, r := range s.roots {
		r.Close()
	}
}

// tools returns the table of the server.
func (s *server) tools() []mcp.Tool { return append(s.captureTools(), s.scriptTools()...) }

// run runs a command in the process and returns what it has printed. An error is the command's, without the names of flags.
func run(ctx context.Context, c *cobra.Command, stdin string, args ...string) (string, error) {
	var out bounded
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetIn(strings.NewReader(stdin))
	c.SetOut(&out)
	c.SetErr(io.Discard)
	c.SetArgs(args)
	err := c.ExecuteContext(ctx)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil && out.Len() > 0 && !errors.Is(err, cli.ErrSaid) {
		out.WriteString("\n" + err.Error() + "\n") // the command has answered, and the error says what the answer lacks
		err = nil
	}
	if err != nil {
		err = errors.New(flagged.ReplaceAllString(strings.TrimSpace(err.Error()), ""))
	}
	return out.String(), err
}

// bounded is a Buffer of at most mostPrinted bytes.
type bounded struct{ bytes.Buffer }

// mostPrinted is more than anybody reads in pages of 4 kB.
const mostPrinted = 8 << 20

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > mostPrinted {
		return 0, fmt.Errorf("this is not all: it would be more than %d MB; ask for less", mostPrinted>>20)
	}
	return b.Buffer.Write(p)
}

// flagged is how a command says which of its flags is wrong.
var flagged = regexp.MustCompile(`^--[a-z]+:? `)
