// Package yaml reads captures that are YAML: as documents of JSON, which package objects
// knows. Nearly any text is YAML.
package yaml

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
)

// Forms are the formats in YAML. Each differs from a format in JSON by its syntax
// only, so it has the same ID.
var Forms = []capture.Form{
	{
		ID: "kubectl", Convert: read,
		Matches: func(head []byte) bool { return hasKeys(head, "object", "type") || FirstKey(head) == "object" },
	},
	{
		ID: "list", Convert: read,
		Matches: func(head []byte) bool { return hasKeys(head, "apiVersion", "items") },
	},
	{
		ID: "objects", Convert: read,
		Suffixes: []string{".yaml", ".yml"},
		Matches: func(head []byte) bool {
			head = element(head)
			return hasKeys(head, "apiVersion", "kind") || hasKeys(head, "apiVersion", "metadata") ||
				hasKeys(head, "metadata", "spec") || hasKeys(head, "metadata", "status") || hasKeys(head, "metadata", "data")
		},
	},
}

// element returns the first element of the sequence that head begins with, or head where it begins with none.
func element(head []byte) []byte {
	rest := head
	for line := range bytes.Lines(head) {
		text := bytes.TrimLeft(line, " ")
		if len(bytes.TrimSpace(text)) > 0 && text[0] != '#' && !bytes.HasPrefix(line, []byte("---")) {
			if text[0] != '-' || len(text) < 2 || text[1] != ' ' {
				return head
			}
			indent := len(line) - len(text)
			dash, within := []byte("\n"+strings.Repeat(" ", indent)+"- "), []byte("\n"+strings.Repeat(" ", indent+2))
			first, _, _ := bytes.Cut(append([]byte{'\n'}, rest...)[indent+3:], dash)
			return bytes.ReplaceAll(first, within, []byte{'\n'})
		}
		rest = rest[len(line):]
	}
	return head
}

// FirstKey returns the first key of the first document of YAML, or "" if the
// document doesn't begin with a mapping.
func FirstKey(head []byte) string {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimRight(line, " \t\r\n"); len(line) == 0 || line[0] == '#' || line[0] == '%' || string(line) == "---" {
			continue
		}
		key, _, ok := bytes.Cut(line, []byte{':'})
		if ok && isWord(key) {
			return string(key)
		}
		return ""
	}
	return ""
}

// hasKeys reports whether the first document of YAML is a mapping with both keys.
func hasKeys(head []byte, a, b string) bool {
	first := FirstKey(head)
	if first == "" {
		return false
	}
	head = append([]byte{'\n'}, head...)
	head = head[bytes.Index(head, []byte("\n"+first+":")):]
	head, _, _ = bytes.Cut(head, []byte("\n---"))
	return bytes.Contains(head, []byte("\n"+a+":")) && bytes.Contains(head, []byte("\n"+b+":"))
}

func isWord(b []byte) bool {
	return len(b) > 0 && strings.Trim(string(b), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// read reads watch events, lists and bare objects, each in a document of YAML.
func read(c *capture.Conversion) error {
	r := objects.ReaderOf(c)
	v := &objects.Value{}
	return Documents(c, func(b []byte) error {
		if err := v.Decode(b); err != nil {
			return err
		}
		return r.Object(v, b)
	})
}
