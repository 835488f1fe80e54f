package session_test

import (
	"testing"

	"github.com/informerscope/informerscope/engine/script"
)

// Test14Ghost plays a session that informerscope has saved.
func Test14Ghost(t *testing.T) {
	const session = `profile classic
informer pods
handler h
exists pod default/real
run until step 18
expect queue []
expect store [default/real@1]
expect calls h 1
expect workqueue []
let time pass to 2.010186s
run until step 20
create pods default/ghost
run until step 24
expect queue [default/ghost]
restart server
delete pods default/ghost
step reflector
step reflector
step reflector
step reflector
step reflector
step reflector
step reflector
step reflector
step reflector
step reflector
step reflector
step reflector
step reflector
step reflector
step reflector
run until step 56
expect queue []
expect store [default/ghost@2 default/real@1]
expect calls h 3
expect behind h 0
expect processing []
expect delayed 0
expect rv "3"
expect synced true
expect crash none
`
	r := script.NewRunner(func(e script.Entry) {
		if e.Kind == script.Moved {
			t.Log(e)
		}
	})
	if err := r.Play(session); err != nil {
		t.Fatal(err)
	}
}
