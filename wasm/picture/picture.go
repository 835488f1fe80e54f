// Package picture draws a world: it makes the link.Frame that the page shows of
// one informer after one step, the timeline of a whole run, and answers to
// questions about the cache. It reads the world and changes nothing. Where the
// world came from, whether from a recording, a script or a cluster, it doesn't
// know; the server's own messages reach it through Words.
package picture
