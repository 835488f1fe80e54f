package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

// Cluster says by flags which cluster a command asks.
type Cluster struct{ Context, Kubeconfig, Kubectl, Server string }

// Flags adds the flags to a command. Server is what --server names.
func (o *Cluster) Flags(c *cobra.Command, server string) {
	flags := c.Flags()
	flags.StringVar(&o.Context, "context", "", "the kubeconfig's `context`; by default the current one")
	flags.StringVar(&o.Kubeconfig, "kubeconfig", "", "the kubeconfig's `file`; by default kubectl's")
	flags.StringVar(&o.Kubectl, "kubectl", "kubectl", "the kubectl `program`")
	flags.StringVar(&o.Server, "server", "", server)
	c.RegisterFlagCompletionFunc("context", CompleteContexts(&o.Kubectl, &o.Kubeconfig))
}

// Check finds mistakes.
func (o *Cluster) Check() error {
	if o.Server != "" && o.Context+o.Kubeconfig != "" {
		return errors.New("--server goes without --context and --kubeconfig: those are kubectl's")
	}
	return nil
}

// ResourceNames returns the names in arguments, which commas part, too.
func ResourceNames(args []string) []string {
	return strings.FieldsFunc(strings.Join(args, ","), func(r rune) bool { return r == ',' })
}

// Agent is what requests of this program say who sends them.
func Agent() string { return "informerscope/" + strings.ReplaceAll(Version(), " ", "-") }
