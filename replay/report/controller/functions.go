package controller

// Function is a number that a recording has of each controller. It has the name that the
// language of expressions has for the same number of a controller that the engine plays.
type Function struct {
	Name  string
	Means string
	Of    func(*Controller) int64
}

// Functions are all of them.
var Functions = []Function{
	{"reconciles", "how many reconciles began", func(c *Controller) int64 { return c.Reconciles.All }},
	{"errors", "how many of them failed", func(c *Controller) (n int64) {
		for _, e := range c.Reconciles.Errors {
			n += e.Count
		}
		return n + c.Reconciles.Panics
	}},
	{"stale", "how many of them began before the cache had the controller's last write for the key", func(c *Controller) int64 { return int64(len(c.Stale)) }},
	{"duplicates", "how many objects were created twice because of that", func(c *Controller) int64 { return int64(len(c.Duplicates)) }},
	{"unseen", "how many accepted writes never came back", func(c *Controller) (n int64) {
		for i := range c.Writes.Back {
			if c.Writes.Back[i].Seen == 0 {
				n++
			}
		}
		return n
	}},
	{"putOff", "how often a key was put off", func(c *Controller) int64 { return int64(len(c.PutOff)) }},
}
