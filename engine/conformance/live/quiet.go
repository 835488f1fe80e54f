package live

import (
	"flag"
	"io"

	"k8s.io/klog/v2"
)

// Quiet lets client-go log nothing: what is provoked here on purpose would fill
// the screen.
func Quiet() {
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	flags.Set("logtostderr", "false")
	klog.SetOutput(io.Discard)
}
