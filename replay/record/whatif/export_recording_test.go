package whatif_test

import (
	"testing"
	"testing/synctest"

	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
)

// TestTheRecording does to a controller what was done to an informer on informerscope's page.
func TestTheRecording(t *testing.T) {
	const before = `create pods shop/a app=web
create pods shop/b
`
	const session = `advance to 1s
update pods shop/a app=web tier=gold
advance to 2.00002s
delay event 2s
advance to 3s
create pods shop/c
delete pods shop/b
advance to 5.00007s
create pods shop/d
`
	const host = "http://testserver"
	synctest.Test(t, func(t *testing.T) {
		server := testserver.New(testserver.Options{}) // with the Resources that a custom resource needs
		defer server.Close()
		faults := whatif.New(server)
		if err := faults.Play(t.Context(), host, before); err != nil {
			t.Fatal(err)
		}
		// Start the controller here. Its rest.Config has this host, and faults as its Transport.
		if err := faults.Play(t.Context(), host, session); err != nil {
			t.Fatal(err)
		}
		// Ask the server here whether the controller has done what it should.
	})
}
