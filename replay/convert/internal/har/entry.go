package har

import (
	"encoding/base64"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
)

// entry is one request and its answer.
type entry struct {
	Started string  `json:"startedDateTime"`
	Time    float64 `json:"time"` // milliseconds
	Error   string  `json:"_error"`
	Request struct {
		Method string `json:"method"`
		URL    string `json:"url"`
	} `json:"request"`
	Response struct {
		Status  int `json:"status"`
		Content struct {
			MimeType string `json:"mimeType"`
			Text     string `json:"text"`
			Encoding string `json:"encoding"`
		} `json:"content"`
	} `json:"response"`
	Timings struct { // milliseconds, -1 for none
		Blocked float64 `json:"blocked"`
		DNS     float64 `json:"dns"`
		Connect float64 `json:"connect"`
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
	} `json:"timings"`
	Messages []struct {
		Type string  `json:"type"`
		Time float64 `json:"time"` // seconds since 1970
		Data string  `json:"data"`
	} `json:"_webSocketMessages"`
}

// body returns the answer's body.
func (e *entry) body() ([]byte, error) {
	content := &e.Response.Content
	if content.Encoding != "base64" {
		return []byte(content.Text), nil
	}
	b, err := base64.StdEncoding.DecodeString(content.Text)
	if err != nil {
		return nil, fault.Plain("bodyNotBase64")
	}
	return b, nil
}

// failure names how a request without an answer ended, in the words of
// trace.Writer.End.
func failure(text string) string {
	switch {
	case strings.Contains(text, "ABORTED"):
		return "canceled"
	case strings.Contains(text, "REFUSED"):
		return "refused"
	}
	return "reset"
}

// ms converts a time of a HAR. A HAR has -1 where it knows none, and ms then
// returns 0.
func ms(n float64) time.Duration {
	const most = 1e12 // more than thirty years
	return time.Duration(min(max(n, 0), most) * float64(time.Millisecond))
}
