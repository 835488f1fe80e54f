//go:build !unix

package serve

// nonblock is 0 on systems without FIFOs in folders.
const nonblock = 0
