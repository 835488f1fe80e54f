package v032

import (
	"testing"

	"github.com/informerscope/informerscope/replay/record/clients"
)

// TestTried holds what a server that misbehaves does to an informer.
func TestTried(t *testing.T) {
	clients.Try(t, map[string]string{"continue": "not-asked", "endless": "not-asked", "restore": "not-within missed"}, clients.Follow)
}
