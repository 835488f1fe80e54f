package link

// WatchFor evaluates expressions over the whole run, and no others.
type WatchFor struct {
	Watches []Watch `json:"watches,omitempty"`
}

// Watch is an expression that the worker evaluates over the whole run.
type Watch struct {
	Text    string `json:"text"`
	Break   bool   `json:"break,omitempty"`   // playing stops where it comes about
	Stopped bool   `json:"stopped,omitempty"` // what was found so far is enough
	List    bool   `json:"list,omitempty"`    // hits are to be listed,
	From    int    `json:"from,omitempty"`    // from this one on
	Likely  bool   `json:"likely,omitempty"`  // random runs are to tell how likely it is, in place of a search
}

// MaxHits is how many hits of a Watch are listed at a time.
const MaxHits = 50

// MaxWatches is how many expressions are watched at a time.
const MaxWatches = 16

// RunTo goes to the next step at which an expression comes about, or to the one before.
type RunTo struct {
	Expr string `json:"expr,omitempty"`
	Back bool   `json:"back,omitempty"`
}

// SavePlot makes a file of the values of a watched expression.
type SavePlot struct {
	Expr string `json:"expr,omitempty"`
}

func (WatchFor) op() {}
func (RunTo) op()    {}
func (SavePlot) op() {}
