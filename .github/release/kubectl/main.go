// Command kubectl is kubectl of k8s.io/kubectl. The module k8s.io/kubernetes, which has the program, replaces modules, so
// "go install" doesn't take it.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
)

func main() { os.Exit(cli.Run(cmd.NewDefaultKubectlCommand())) }
