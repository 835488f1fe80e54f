package convert_test

import (
	"syscall/js"
	"testing"
	"time"
)

// busy returns for how long this process, which is Node, has kept the processor busy.
func busy(testing.TB) time.Duration {
	u := js.Global().Get("process").Call("cpuUsage")
	return time.Duration(u.Get("user").Int()+u.Get("system").Int()) * time.Microsecond
}
