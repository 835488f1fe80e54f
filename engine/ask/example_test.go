package ask_test

import (
	"fmt"
	"log"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/script"
)

// An expression is parsed once, and looked for in a run.
func Example() {
	r := script.NewRunner(func(script.Entry) {})
	if err := r.Play("informer pods\nhandler audit takes=20ms\ncreate pod shop/web\nrun\n"); err != nil {
		log.Fatal(err)
	}
	x, err := ask.Parse(`call("audit", "OnAdd")`)
	if err != nil {
		log.Fatal(err)
	}
	f := x.Find(r.History(), 0, 0, false) // informer 0, from step 0 on, forwards
	step, ended := f.Run(100_000)         // step is 0 if none was found so far
	fmt.Println(step > 0, ended, r.History().SeekTo(step).Log.Events[0].Kind)
	_, err = ask.Parse(`behind("audit") >`)
	fmt.Println(err) // an *Error, which has the place
	// Output:
	// true true HandlerCalled
	// operand is missing
}
