package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"
)

// Output is how a command prints what it has found out: kubectl's -o.
type Output string

const (
	AsText Output = "text"
	AsJSON Output = "json"
	AsYAML Output = "yaml"
)

func (o *Output) String() string { return string(*o) }
func (o *Output) Type() string   { return "format" }

func (o *Output) Set(s string) error {
	switch Output(s) {
	case AsText, AsJSON, AsYAML:
		*o = Output(s)
		return nil
	}
	return errors.New("unknown format; want text, json or yaml")
}

// OutputFlag gives c the flag -o, and --json as another word for -o json.
func OutputFlag(c *cobra.Command, o *Output) {
	*o = AsText
	once := &oneOutput{Output: o}
	c.Flags().VarP(once, "output", "o", "print as this `format`: text, json or yaml")
	c.RegisterFlagCompletionFunc("output", OneOf("text", "json", "yaml"))
	c.Flags().BoolFunc("json", "the same as -o json", func(string) error { return once.Set("json") })
}

// oneOutput is an Output that can't be set to two formats.
type oneOutput struct {
	*Output
	set bool
}

// Set sets the Output.
func (o *oneOutput) Set(s string) error {
	before := *o.Output
	if err := o.Output.Set(s); err != nil {
		return err
	}
	if o.set && *o.Output != before {
		return fmt.Errorf("it is %s already", before)
	}
	o.set = true
	return nil
}

// Documents prints values one after the other: as JSON, one on each line unless
// they are indented, or as YAML documents.
type Documents struct {
	json *json.Encoder
	yaml *yaml.Encoder // nil for JSON
}

// NewDocuments returns documents that are written to w.
func NewDocuments(w io.Writer, o Output, indented bool) *Documents {
	d := &Documents{}
	if o == AsYAML {
		d.yaml = yaml.NewEncoder(w)
		d.yaml.SetIndent(2)
		return d
	}
	d.json = json.NewEncoder(w)
	d.json.SetEscapeHTML(false)
	if indented {
		d.json.SetIndent("", "  ")
	}
	return d
}

// Print prints v, whose fields have the names that they have in JSON.
func (d *Documents) Print(v any) error {
	if d.yaml == nil {
		return d.json.Encode(v)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	// JSON is YAML, and its nodes keep the order of the fields.
	var n yaml.Node
	if err := yaml.Unmarshal(b, &n); err != nil {
		return err
	}
	inBlocks(&n)
	return d.yaml.Encode(&n)
}

// inBlocks takes from n and from all below it that they were written as JSON.
func inBlocks(n *yaml.Node) {
	n.Style = 0
	for _, c := range n.Content {
		inBlocks(c)
	}
}
