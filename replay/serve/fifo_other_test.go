//go:build !unix

package serve

// makeFIFO makes nothing where folders have no FIFOs: what isn't there isn't
// served either.
func makeFIFO(string) error { return nil }
