package live

import (
	"flag"
	"io"

	"k8s.io/klog/v2"
)

// Quiet makes client-go log nothing. The errors that are provoked on purpose here
// would fill the screen.
func Quiet() {
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	flags.Set("logtostderr", "false")
	flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)
}
