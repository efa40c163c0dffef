package blob

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"maps"
	"slices"
)

// Identity is everything that a compiled model depends on. Two blobs may be exchanged only if all of it is equal.
// OpenVINO's own cache leaves out the compiler's version and takes the name of a file for its content; a wrong hit
// there gives wrong results or a crash.
type Identity struct {
	Model           string            // content key of the checkpoint
	Graph           string            // version of the graph writer and recipe of quantisation
	Shape           string            // name and static shape of the graph
	Properties      map[string]string // compile properties, as given to the runtime
	RuntimeBuild    string            // full build number of the runtime
	Device          string            // device name, such as NPU
	Architecture    string            // architecture of the device, such as 4000
	Tiles           string            // compute tiles of an NPU that the compiler may use, such as 4
	DriverVersion   string
	CompilerVersion string
}

// Key is the SHA-256 of an [Identity].
type Key [sha256.Size]byte

// String returns the key as 64 hexadecimal digits.
func (k Key) String() string {
	return hex.EncodeToString(k[:])
}

// Key returns the key of id. Its encoding gives each field its name and each string its length, so that no two
// different identities are encoded alike; the order of properties does not matter.
func (id Identity) Key() Key {
	h := sha256.New()
	writeString(h, "dragoman compiled model 1")
	for _, field := range []struct{ name, value string }{
		{"model", id.Model},
		{"graph", id.Graph},
		{"shape", id.Shape},
		{"runtime", id.RuntimeBuild},
		{"device", id.Device},
		{"architecture", id.Architecture},
		{"driver", id.DriverVersion},
		{"compiler", id.CompilerVersion},
		{"tiles", id.Tiles},
	} {
		if field.name == "tiles" && field.value == "" {
			continue // devices without keep the keys that they had
		}
		writeString(h, field.name)
		writeString(h, field.value)
	}
	writeString(h, "properties")
	for _, name := range slices.Sorted(maps.Keys(id.Properties)) {
		writeString(h, name)
		writeString(h, id.Properties[name])
	}
	return Key(h.Sum(nil))
}

func writeString(h hash.Hash, s string) {
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
	h.Write([]byte(s))
}
