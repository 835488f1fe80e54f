package main

// decoder reads JSON on the page. In every program that imports the module, it also links an encoder and all that
// encoding/json/v2 has, which the page never calls and which weigh 0.6 MB, gzipped. So the page's program is built
// with a part of the module: the files that kept names, as they are, and those of the folder _json. The page's code
// doesn't compile with it if it calls something else. The package jsonfuzz compares both the library and the part
// with encoding/json.
var decoder = library{
	module: "github.com/goccy/go-json",
	ours:   "_json",
	kept: []string{
		"go.mod", "error.go", "internal/decoder", "internal/encoder/format.go", "internal/errors", "internal/jsonnum",
		"internal/jsonstring/unescape.go", "internal/jsonsyntax", "internal/options", "internal/runtime", "internal/textcoder",
	},
	replaced: map[string]string{
		"decode.go":                                 "d33677b44b852ad0ccdea55d57e702ad39273c668d23657130d3ba3110fa6937",
		"internal/decoder/decode_v2.go":             "a44da11149aea02f72b305cdd7982081985e3633ae23ea4d822fe50ea6d522e5",
		"internal/decoder/decode_v2_struct.go":      "957230cbc4727b71e654a153f8838dbb21e1328c27b5c3d1b51c2cfc5f396249",
		"internal/decoder/funcs_v2.go":              "c3f6f2e735f6f797b82eaf2935761f3484f11cdcc13cf5b78d5cf822b5ab8711",
		"internal/decoder/method_v2.go":             "db3dada3feb4bcd9da76601c7813d1fd965719f148220055f9b8f11f2d3efee4",
		"internal/decoder/option.go":                "f3791df1021f3fc70d8b1cf862f9392c8aadfe68b2cf0dfd7397a798acfd89ff",
		"internal/decoder/skip_v2.go":               "4b0d2b7635f6aa07f39b84ebbfe407d8bed8ed3eac4536a8821b168a682a87b6",
		"internal/decoder/stream.go":                "f546bb44401ff32d46b4a19b28af1d5ec142af2c07b8da78d5067337039e57de",
		"internal/decoder/stream_elements.go":       "c9f38af03412c2718401d3a7922f2d1af37c8fc4aef8b187a38abdc88b9f6f1b",
		"internal/decoder/stream_elements_v2.go":    "edf820587c2baa040de9124d373869b761a92b444b02e34af9499aa4a364177f",
		"internal/decoder/stream_skip_v2.go":        "9ee717d7ac3142aa6243f9d1daadfd74767d73c42be783d48622fa8e7940bc56",
		"internal/decoder/stream_token.go":          "3fa570899a20ffd3a6b447db4a29cbeb1cbfd2e894e6549d08d01b44488188f1",
		"internal/decoder/stream_token_legacy.go":   "525e7180e2daa5be90062dc6010fa9ae8cea19d7e70e404c1ac7084179f0413d",
		"internal/decoder/stream_token_v2.go":       "cb4ac7d00364e408151b9c15e5a8849317ed721250f07a6e1e590732e2862285",
		"internal/decoder/unmarshal_from.go":        "cdd8b32131fb45293ec4920c52a1cc6ca4cc7870fcceb341f320af9851bf95b3",
		"internal/decoder/unmarshal_from_legacy.go": "cd7e9b9aad73a78cde6f79ea708b3cb44d6ef05d2abd9f894eb901d48d7f6ac4",
		"internal/decoder/unmarshal_from_std.go":    "c5a0c6d625ded44ae3fae3c68fead8af089c17f69e84e3eb90edbf2ee815ba2c",
		"internal/encoder/compact.go":               "e1361ebb1f68c6777e9a35b7be50c7b4b47d10c3d525b4d6911ec05ec124d15d",
		"internal/encoder/compact_fast.go":          "b1d638a5e26e272efc0bcbbdffcc9ea81aa49dad2b07e4fc478827d9ecd08658",
		"internal/jsonstring/quote.go":              "7e6068811d606b05aabe1a9160c4be428008afb0daf68ceb6cd6e0eb62920241",
		"internal/runtime/method.go":                "cb44e80944bd29e1049299bad2ae35e8d5acdfaec960201be7a138a58d037d94",
		"internal/runtime/std_package.go":           "58abfea0a5bc0ccc3df313ed21988e3ce5bbcb7e26bba019d80f8d9d9a5e627e",
		"internal/runtime/std_package_go127.go":     "6e5ad17c1415770a64f1daf0b8f4ee091e30eac685d2618b2cefb2f5c0910920",
		"json.go":                                   "a3bb26d75a18e0eeee7bdeb28c70f6c5e3061f4ad99780e6efa3d52a678cd9a5",
		"option.go":                                 "911e1e143caa84b3d9da29c266d895520b4a6257b91753e46b36e3b46d63cf7d",
	},
}
