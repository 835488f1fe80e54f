package recordings

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"k8s.io/client-go/tools/cache"
)

// minor is the minor version of client-go, and profile its version as informerscope report --profile has it.
var (
	minor   = minorVersion()
	profile = fmt.Sprintf("v0.%d", minor)
)

// minorVersion returns what the path of client-go's source says. The build information of a test doesn't list modules.
func minorVersion() (minor int) {
	pc := reflect.ValueOf(cache.NewSharedIndexInformer).Pointer()
	path, _ := runtime.FuncForPC(pc).FileLine(pc)
	_, version, _ := strings.Cut(path, "k8s.io/client-go@v0.")
	fmt.Sscanf(version, "%d", &minor)
	return minor
}
