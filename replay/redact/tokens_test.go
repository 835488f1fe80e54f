package redact

import "testing"

func TestTokensInTexts(t *testing.T) {
	const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrOHMifQ.c2lnbmF0dXJl"
	for _, c := range []struct{ in, want string }{
		{"/api?access_token=abc&x=1", "/api?access_token=REDACTED&x=1"},
		{"?Token=abc#d", "?Token=REDACTED#d"},
		{"?a%26id_token%3Dabc%26b=c", "?a%26id_token%3DREDACTED%26b=c"},
		{"?%74oken=abc", "?%74oken=REDACTED"},
		{"https://b.example/o?X-Amz-Signature=00ff&X-Amz-Date=1", "https://b.example/o?X-Amz-Signature=REDACTED&X-Amz-Date=1"},
		{"?sig=a%2Bb", "?sig=REDACTED"},
		{"--bearer-token=abc --v=2", "--bearer-token=REDACTED --v=2"},
		{`password="a b\" c" user="d"`, `password="REDACTED" user="d"`},
		{"Bearer abc", "Bearer REDACTED"},
		{"authorization: bearer a.b-c", "authorization: REDACTED"},
		{`curl -H "Authorization: Bearer xyz"`, `curl -H "Authorization: REDACTED"`},
		{"sent Bearer%20abc123", "sent Bearer%20REDACTED"},
		{"Basic dXNlcjpwYXNz", "Basic REDACTED"},
		{"X-Auth-Token: abc\nAccept: x", "X-Auth-Token: REDACTED\nAccept: x"},
		{"Set-Cookie: a=b; c", "Set-Cookie: REDACTED"},
		{`{"token":"abc","a":1}`, `{"token":"REDACTED","a":1}`},
		{`{\"client_secret\": \"abc\"}`, `{\"client_secret\": \"REDACTED\"}`},
		{"postgres://u:p@db/x", "postgres://REDACTED@db/x"},
		{"https://ghp_0123456789abcdef@github.example/x", "https://REDACTED@github.example/x"},
		{"(" + jwt + ")", "(REDACTED)"},
		{"token=REDACTED", "token=REDACTED"},

		// And what is none.
		{"Bearer token authentication is used", ""},
		{"a bearer of news", ""},
		{"Basic authentication", ""},
		{"the token: it has expired", ""},
		{"token=", ""},
		{"ssh://git@github.example/x", ""},
		{"?labelSelector=app%3Dweb&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ", ""},
		{"--token-file=/var/run/x", ""},
		{"secretName=web", ""},
		{"2026-11-20T21:06:42Z", ""},
		{"user@example.org", ""},
	} {
		if c.want == "" {
			c.want = c.in
		}
		got, n := (&texts{}).clean(nil, []byte(c.in))
		if string(got) != c.want || (n > 0) != (c.in != c.want) {
			t.Errorf("%q becomes %q (%d), should be %q", c.in, got, n, c.want)
		}
	}
}

func TestNamesThatOpen(t *testing.T) {
	for name, want := range map[string]bool{
		"token": true, "accessToken": true, "ID-TOKEN": true, "Authorization": true, "api_key": true, "apiKey": true, "cookie": true, "db.password": true,
		"tokens": true, "tokenFile": false, "continue": false, "secretName": false, "key": false, "": false, "automountServiceAccountToken": true,
	} {
		if (nameHides([]byte(name)) >= aSecret) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
