//go:build js && wasm

package main

import (
	"bufio"
	"io"

	"github.com/informerscope/informerscope/wasm/dom/job"
)

// written writes a file as it is, one line with each Write.
func written(w io.Writer, f *job.File) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return err
		}
	}
}
