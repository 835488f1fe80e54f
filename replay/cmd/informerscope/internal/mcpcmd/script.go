package mcpcmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/informerscope/informerscope/engine/changes"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/changescmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/scriptcmd"
	"github.com/informerscope/informerscope/replay/mcp"
)

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
