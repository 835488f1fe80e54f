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
	"math"
	"os"
	"regexp"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/changes"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/changescmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/scriptcmd"
	"github.com/informerscope/informerscope/replay/mcp"
)

// Command returns "informerscope mcp".
func Command() *cobra.Command {
	values := false
	c := &cobra.Command{
		Use:   "mcp FOLDER…",
		Short: "answer an agent's questions about captures below folders, on the standard input",
		Args:  cli.Args(math.MaxInt, "a folder is missing; . is the present one"),
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

// The example of a script, and of a question about it.
const (
	exampleScript = "informer pods\nhandler audit takes=20ms\nexists pod shop/web\nrun\nbreak watch\nupdate pod shop/web\nrun"
	exampleCan    = "informer pods\nhandler h\nexists pod shop/web\nrun\nupdate pod shop/web\ncan h OnUpdate shop/web"
)

// scriptTools are the tools that need no capture.
func (s *server) scriptTools() []mcp.Tool {
	script := mcp.Arg{Name: "script", Description: "lines of script, such as: profile v0.32 | informer pods | handler audit takes=20ms | create pod shop/web app=web | run | break watch | compact | show queue | expect synced true", Must: true}
	return []mcp.Tool{
		{Name: "run", Description: "Play a script, with a simulated API server and an informer, and say what each step does. To see what would happen in a case.",
			Args: []mcp.Arg{script, {Name: "why", Description: "a key: say instead what came of each of its events, as why does of a capture"}}, Example: []any{"script", exampleScript}, Run: runTool},
		{Name: "can", Description: "Whether something can happen, in any order of goroutines, at the script's can lines: yes with the shortest way, or no.",
			Args: []mcp.Arg{script}, Example: []any{"script", exampleCan}, Run: canTool},
		{Name: "changes", Description: "What differs for a program between two releases of client-go, and what to do about it.",
			Args:    []mcp.Arg{{Name: "from", Description: "a release, such as v0.32", Must: true}, {Name: "to", Description: "another one; the newest by default"}, {Name: "name", Description: "all of one change, with a script that shows it"}},
			Example: []any{"from", "v0.32", "to", "v0.37"}, Run: changesTool},
	}
}

// onTheInput is the file name of a script that the standard input has.
const onTheInput = "-"

func runTool(ctx context.Context, in mcp.Args) (*mcp.Answer, error) {
	if lesson.IsLesson(syntax.Text([]byte(in["script"]))) { // it may name a recording, which lies anywhere
		return nil, mcp.NewError("this is a lesson, and no script", "the blocks of script in it")
	}
	args := []string{onTheInput}
	if in["why"] != "" {
		args = append(args, "--why="+in["why"])
	}
	text, err := run(ctx, scriptcmd.RunCommand(), in["script"], args...)
	if err != nil {
		return nil, placed(err)
	}
	a := &mcp.Answer{Subject: "What the script does"}
	a.Quote(text)
	a.Next = []mcp.Call{{Tool: "can", Args: []any{"script", exampleCan}, Reason: "asks whether something can happen in any order"}}
	return a, nil
}

func canTool(ctx context.Context, in mcp.Args) (*mcp.Answer, error) {
	text, err := run(ctx, scriptcmd.ExploreCommand(), in["script"], onTheInput, "--states=200000")
	if err != nil {
		return nil, placed(err)
	}
	a := &mcp.Answer{Subject: "Whether it can happen"}
	a.Quote(text)
	a.Next = []mcp.Call{{Tool: "run", Args: []any{"script", exampleScript}, Reason: "plays one order"}}
	return a, nil
}

// placed returns the error of a script, whose name nobody has given, with the lines that scripts are made of.
func placed(err error) error {
	err = errors.New(strings.TrimPrefix(err.Error(), "the standard input: "))
	place, why, _ := strings.Cut(strings.TrimPrefix(err.Error(), onTheInput+":"), ": ")
	if line, col, ok := strings.Cut(place, ":"); ok {
		err = fmt.Errorf("line %s, column %s: %s", line, col, why)
	}
	all := "profile VERSION; informer RESOURCE [resync=30s] [workers=N]; handler NAME [takes=20ms] [workqueue]; exists KIND KEY; run [until EXPRESSION]; step N ACTOR; advance TIME; show SUBJECT or EXPRESSION; expect SUBJECT VALUE or EXPRESSION; can HANDLER OnUpdate KEY [before HANDLER OnAdd KEY]; can EXPRESSION; and what is done from outside: "
	return mcp.NewError(err.Error(), all+strings.Join(syntax.Forms(func(world.CommandKind) bool { return true }), "; "))
}

func changesTool(ctx context.Context, in mcp.Args) (*mcp.Answer, error) {
	from, to, err := changescmd.Releases(in["from"], in["to"])
	if err != nil {
		return nil, err
	}
	list := changes.Between(from, to)
	a := &mcp.Answer{Subject: fmt.Sprintf("What differs between client-go %s and %s", from, to)}
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
		if in["name"] == c.Name {
			var b strings.Builder
			changescmd.Write(&b, c)
			a.Quote(b.String())
			a.Next = []mcp.Call{{Tool: "run", Args: []any{"script", "profile " + to + "\n" + c.Script}, Reason: "plays its script"}}
			return a, nil
		}
		a.AddLine("%s (%s): %s To do: %s", c.Name, strings.Join(c.Since, ", "), c.Difference, c.Advice)
	}
	if in["name"] != "" {
		return nil, mcp.NewError(fmt.Sprintf("no change %q", in["name"]), strings.Join(names, ", "))
	}
	if len(list) == 0 {
		a.AddLine("Nothing that a program with informers can see.")
		a.Next = []mcp.Call{{Tool: "changes", Args: []any{"from", "v0.32"}, Reason: "has those up to the newest release"}}
		return a, nil
	}
	a.Next = []mcp.Call{{Tool: "changes", Args: []any{"from", from, "to", to, "name", list[0].Name}, Reason: "has a script that shows it"}}
	return a, nil
}
