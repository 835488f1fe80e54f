package doctor

import (
	"context"

	"github.com/informerscope/informerscope/replay/serve/kubectl"
)

// Kubectl is the hop on which kubectl itself sends each request, without a proxy of its own between.
type Kubectl struct {
	Called  string // for people
	Options kubectl.Options
}

func (k *Kubectl) Name() string { return k.Called }

// Get returns at once: kubectl doesn't tell when an answer begins. That the answer is no success is
// the error with which its body ends.
func (k *Kubectl) Get(ctx context.Context, path string) (Answer, error) {
	return Answer{Code: 200, Body: kubectl.Raw(ctx, k.Options, path)}, nil
}
