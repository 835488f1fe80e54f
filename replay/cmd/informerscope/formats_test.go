package main

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/convert"
)

// Help has each format that can be read, and the README says the same of how to get one.
func TestFormats(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(string(readme)) {
		if cells := strings.Split(line, " | "); len(cells) == 4 {
			name := strings.TrimRight(strings.TrimPrefix(cells[0], "| "), " ¹²³⁴⁵⁶⁷⁸⁹")
			rows = append(rows, strings.NewReplacer("`", "", `\|`, "|").Replace(name+": "+cells[1]))
		}
	}
	var help bytes.Buffer
	if status := run(t.Context(), []string{"help", "formats"}, &help, io.Discard); status != cli.ExitOK {
		t.Fatal(status)
	}
	text := strings.Join(strings.Fields(help.String()), " ")
	ids := convert.Formats()
	for _, f := range files.Formats {
		if row := f.Name + ": " + f.How; !slices.Contains(rows, row) {
			t.Errorf("the README has no row %s", row)
		}
		if !strings.Contains(text, f.Name+" "+f.How) {
			t.Errorf("help formats lacks %s", f.Name)
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { return slices.Contains(f.IDs, id) })
	}
	if len(ids) > 0 {
		t.Errorf("help formats lacks %v", ids)
	}
}
