//go:build !unix

package serve

// nonblock is nothing where there are no FIFOs in folders.
const nonblock = 0
