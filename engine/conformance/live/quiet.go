package live

import (
	"flag"
	"io"
	"reflect"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// Quiet makes client-go log nothing, because the errors that are provoked on purpose here would fill the screen. It
// counts the errors that client-go handles.
func Quiet() {
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	flags.Set("logtostderr", "false")
	flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)

	handlers := reflect.ValueOf(&utilruntime.ErrorHandlers).Elem() // their type differs by version
	count := reflect.MakeFunc(handlers.Type().Elem(), func([]reflect.Value) []reflect.Value { HandledErrors.Add(1); return nil })
	handlers.Set(reflect.Append(reflect.Zero(handlers.Type()), count))
}
