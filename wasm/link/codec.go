package link

import "github.com/goccy/go-json"

// Encode makes the one buffer that crosses between page and worker. Requests
// and Replies hold nothing that JSON has no word for, so it can't fail.
func Encode[T Request | Reply](m *T) []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return b
}

// Decode reads what Encode made.
func Decode[T Request | Reply](b []byte) (*T, error) {
	m := new(T)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, err
	}
	return m, nil
}
