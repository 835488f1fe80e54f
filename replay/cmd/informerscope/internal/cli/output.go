package main

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"
)

// output is how a command prints what it has found out: kubectl's -o.
type output string

const (
	asText output = "text"
	asJSON output = "json"
	asYAML output = "yaml"
)

func (o *output) String() string { return string(*o) }
func (o *output) Type() string   { return "format" }

func (o *output) Set(s string) error {
	switch output(s) {
	case asText, asJSON, asYAML:
		*o = output(s)
		return nil
	}
	return errors.New("it is text, json or yaml")
}

// outputFlag gives c the flag -o, and --json as another word for -o json.
func outputFlag(c *cobra.Command, o *output) {
	*o = asText
	c.Flags().VarP(o, "output", "o", "print as this `format`: text, json or yaml")
	c.RegisterFlagCompletionFunc("output", oneOf("text", "json", "yaml"))
	c.Flags().BoolFunc("json", "the same as -o json", func(string) error { return o.Set("json") })
}

// documents prints values one after the other: as JSON, one on each line unless
// they are indented, or as YAML documents.
type documents struct {
	json *json.Encoder
	yaml *yaml.Encoder // nil for JSON
}

func newDocuments(w io.Writer, o output, indented bool) *documents {
	d := &documents{}
	if o == asYAML {
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

// print prints v, whose fields have the names that they have in JSON.
func (d *documents) print(v any) error {
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
