// Command release makes what goreleaser doesn't: the list of what is in a program (SPDX), and a container image from
// scratch, without a daemon.
package main

import (
	"flag"
	"fmt"
	"os"
)

const usage = `usage: release sbom -version V -out FILE PROGRAM  write what is in it, as SPDX 2.3
       release image -out FOLDER PROGRAM…         write an image of Linux programs, as an OCI layout
       release image -push NAME:TAG PROGRAM…      push it, and print its digest
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("a command is missing\n%s", usage)
	}
	f := flag.NewFlagSet(args[0], flag.ContinueOnError)
	switch args[0] {
	case "sbom":
		version := f.String("version", "", "the `version` that is released")
		out := f.String("out", "", "the `file` to write")
		if err := f.Parse(args[1:]); err != nil || f.NArg() != 1 || *out == "" {
			return fmt.Errorf("sbom takes one program and a file\n%s", usage)
		}
		b, err := sbom(f.Arg(0), *version)
		if err != nil {
			return err
		}
		return os.WriteFile(*out, b, 0o644)
	case "image":
		out := f.String("out", "", "the `folder` of an OCI layout")
		push := f.String("push", "", "the `name` to push to")
		if err := f.Parse(args[1:]); err != nil || f.NArg() == 0 || (*out == "") == (*push == "") {
			return fmt.Errorf("image takes -out or -push, and programs\n%s", usage)
		}
		index, err := image(f.Args())
		if err != nil {
			return err
		}
		if *out != "" {
			return write(index, *out)
		}
		return pushTo(index, *push)
	}
	return fmt.Errorf("unknown command %q\n%s", args[0], usage)
}
