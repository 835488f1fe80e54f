// Package mcp is the way in which an agent asks: a table of tools becomes a server of the Model Context Protocol, whose answers are
// short, in pages, and lead on. What a capture says is quoted in them, and bounded. The package opens nothing and writes nothing; package
// mcpcmd of the command line has the tools.
package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Instructions tell an agent how to go from a stuck controller to the cause.
//
//go:embed instructions.md
var Instructions string

// Arg is an argument of a tool: a text, or a number if Number is set.
type Arg struct {
	Name, Description string
	Must              bool
	Number            bool
}

// Args are the arguments of a call, by name.
type Args map[string]string

// Number returns a number that was given, 0 for none.
func (a Args) Number(name string) int {
	n, _ := strconv.Atoi(a[name]) // it was checked
	return n
}

// Tool is a question that an agent can ask.
type Tool struct {
	Name, Description string
	Args              []Arg
	Example           []any // arguments of a call that works, as Call has them
	Run               func(context.Context, Args) (*Answer, error)
}

// page is an argument that every tool has.
var page = Arg{Name: "page", Description: "which page of a long answer, from 1", Number: true}

// schema returns the tool's arguments as a JSON schema.
func (t *Tool) schema() map[string]any {
	properties, must := map[string]any{}, []string{}
	for _, a := range t.Args {
		kind := "string"
		if a.Number {
			kind = "integer"
		}
		properties[a.Name] = map[string]any{"type": kind, "description": a.Description}
		if a.Must {
			must = append(must, a.Name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": must}
}

// names lists the tool's arguments.
func (t *Tool) names() string {
	var all []string
	for _, a := range t.Args {
		name := a.Name
		if !a.Must {
			name = "[" + name + "]"
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

// read reads the arguments of a call. A number may be written as text, and a text as a number. An error comes with the capture that is
// asked about, if there is one.
func (t *Tool) read(raw json.RawMessage) (Args, error) {
	given := map[string]any{}
	if len(raw) > 0 {
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.UseNumber()
		if err := d.Decode(&given); err != nil {
			return nil, NewError("the arguments are not a JSON object", t.names())
		}
	}
	out := Args{}
	if name, ok := given[capture].(string); ok {
		out[capture] = name
	}
	for name, v := range given {
		i := slices.IndexFunc(t.Args, func(a Arg) bool { return a.Name == name })
		if i < 0 {
			return out, NewError(fmt.Sprintf("unknown argument %q of %s", cut(name, 80), t.Name), t.names())
		}
		switch v := v.(type) {
		case nil:
			continue
		case string:
			out[name] = v
		case json.Number:
			out[name] = v.String()
		default:
			return out, NewError(fmt.Sprintf("invalid %s; want a text or a number", name), t.Args[i].Description)
		}
		if n, err := strconv.Atoi(out[name]); t.Args[i].Number && (err != nil || n < 1 || n > math.MaxInt32) {
			return out, NewError(fmt.Sprintf("invalid %s %q; want a whole number from 1", name, cut(out[name], 80)), t.Args[i].Description)
		}
	}
	for _, a := range t.Args {
		if a.Must && out[a.Name] == "" {
			return out, NewError(fmt.Sprintf("%s needs the argument %q: %s", t.Name, a.Name, a.Description), t.names())
		}
	}
	return out, nil
}

// call returns a call of the tool.
func (t *Tool) call(args Args) Call {
	c := Call{Tool: t.Name}
	for _, a := range t.Args {
		if v, ok := args[a.Name]; ok && a.Name != page.Name {
			c.Args = append(c.Args, a.Name, v)
		}
	}
	return c
}

// capture is the name of the argument that says what is asked about.
const capture = "capture"

// answer answers a call. An error proposes the tool's example for the same capture, or else first, which needs no arguments.
func (t *Tool) answer(ctx context.Context, raw json.RawMessage, first Call) (text string, failed bool) {
	args, err := t.read(raw)
	if err == nil {
		var a *Answer
		if a, err = t.Run(ctx, args); err == nil {
			text, err = a.text(args.Number(page.Name), t.call(args))
		}
	}
	if err != nil {
		example := Call{Tool: t.Name, Args: slices.Clone(t.Example)}
		if t.Example[0] == capture {
			example.Args[1] = args[capture]
		}
		if failed := t.call(args); args[capture] == "" && t.Example[0] == capture || example.String() == failed.String() {
			example = first
		}
		return explained(err, example), true
	}
	return text, false
}

// NewServer returns a server with these tools. It runs one call at a time.
func NewServer(version string, tools []Tool) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "informerscope", Title: "informerscope", Version: version},
		&mcp.ServerOptions{Instructions: Instructions, Capabilities: &mcp.ServerCapabilities{}})
	turn := make(chan struct{}, 1)
	var names []string
	closed, first := false, Call{Tool: tools[0].Name}
	for _, t := range tools {
		t.Args = append(slices.Clone(t.Args), page)
		names = append(names, t.Name)
		s.AddTool(&mcp.Tool{
			Name: t.Name, Description: t.Description, InputSchema: t.schema(),
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed, DestructiveHint: &closed},
		}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			select {
			case turn <- struct{}{}:
				defer func() { <-turn }()
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			return result(t.answer(ctx, req.Params.Arguments, first)), nil
		})
	}
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if p, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && !slices.Contains(names, p.Name) {
				return result(explained(NewError(fmt.Sprintf("unknown tool %q", cut(p.Name, 80)), strings.Join(names, ", ")), first), true), nil
			}
			return next(ctx, method, req)
		}
	})
	return s
}

func result(text string, failed bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: failed}
}
