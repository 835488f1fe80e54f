package try_test

import (
	"context"
	"fmt"
	"os"

	"github.com/informerscope/informerscope/replay/try"
)

// A client in any language is tried on two faults. It takes a minute, since each fault lasts for some seconds.
func ExampleRun() {
	report, err := try.Run(context.Background(), try.Options{
		Command: []string{"kubectl", "get", "pods", "--watch"},
		Faults:  []string{"410", "reset"},
		Fast:    true,
		Folder:  "traces",
		Output:  os.Stderr,
	})
	if err != nil { // the command can't be tried
		fmt.Println(err)
		return
	}
	for _, v := range report.Verdicts {
		if v.Bad() {
			fmt.Println(v.Fault, v.Resource, v.Text(), v.Helps)
		}
	}
}
