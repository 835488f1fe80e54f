package whatif_test

import (
	"testing"
	"testing/synctest"

	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
)

// TestTheSession does to a controller what was done to an informer on informerscope's page.
func TestTheSession(t *testing.T) {
	const before = `exists configmaps shop/a n=0
`
	const session = `advance to 5.086ms
drop event configmaps
update configmaps shop/a n=1
advance to 2.005086s
# not on a connection: kill process
delay event 3s pods
create pods shop/p app=web
advance to 7.005086s
fail requests toomany n=2 after=5s pods
break watch pods
advance to 37.005086s
delete configmaps shop/a
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
