package serve

import (
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
)

// stampName is where make dist writes the Stamp of a page.
const stampName = "version.json"

// Stamp says which page it is.
type Stamp struct {
	Version string `json:"version"`           // the folder of its files, which is named by a hash of all of them
	Release string `json:"release,omitempty"` // what people call it: a tag, or a commit
	// Program is what serves the page, if that is of another version. Make dist writes none.
	Program string `json:"program,omitempty"`
}

// ReadStamp reads the Stamp of a page.
func ReadStamp(page fs.FS) (s Stamp, err error) {
	f, err := page.Open(stampName)
	if err != nil {
		return s, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 1<<16))
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	return s, err
}

// Stamped serves a page with another Stamp than it has.
func Stamped(page http.Handler, s Stamp) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/"+stampName || r.Method != http.MethodGet {
			page.ServeHTTP(w, r)
			return
		}
		private(w.Header())
		w.Header().Set("Content-Type", contentTypes[".json"])
		json.NewEncoder(w).Encode(s)
	})
}
