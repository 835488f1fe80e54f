package controller

import "testing"

func TestNamedAlike(t *testing.T) {
	for _, x := range []struct {
		a, b  string
		alike bool
	}{
		{"shop/web-x7f2k", "shop/web-9bq4z", true},
		{"shop/web-bqkzt", "shop/web-9bq4z", true},
		{"shop/web-a3f09", "shop/web-0b51e", true},
		{"shop/web-5d8f7c6b9d", "shop/web-7b9c4f66d8", true},
		{"shop/web-q8u3e", "shop/web-3oia7", true},
		{"shop/web-x7f2k-config", "shop/web-9bq4z-config", true},
		{"shop/6f1c2e34-5a7b-4c8d-9e0f-a1b2c3d4e5f6", "shop/0a9b8c7d-1e2f-4a3b-8c4d-5e6f7a8b9c0d", true},
		{"shop/run-1793438400123456789", "shop/run-1793438401987654321", true},
		{"web.x7f2k", "web.9bq4z", true},

		{"shop/web-0", "shop/web-1", false},
		{"shop/web-00041", "shop/web-17359", false},
		{"shop/db001", "shop/db932", false},
		{"shop/hello-28473920", "shop/hello-28473921", false},
		{"shop/web-config", "shop/web-secret", false},
		{"shop/web-https", "shop/web-http2", false},
		{"shop/web-https", "shop/web-grpcs", false},
		{"shop/web-us-east-1a", "shop/web-us-east-1b", false},
		{"shop/web-useast1a", "shop/web-euwest1b", false},
		{"shop/web-us1a-pool", "shop/web-eu1b-pool", false},
		{"shop/web-x7f2k", "shop/web-x7f2k", false},
		{"shop/web-x7f2k", "shop/web-x7f2kq", false},
		{"shop/web-x7f2k", "shop/web-x7f2q", false},
		{"", "shop/web-x7f2k", false},
	} {
		if got := namedAlike(x.a, x.b); got != x.alike {
			t.Errorf("%s and %s: %v", x.a, x.b, got)
		}
	}
}
