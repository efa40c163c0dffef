package blob

import (
	"maps"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryFieldMatters(t *testing.T) {
	base := func() Identity {
		return Identity{
			Model: "m", Graph: "g", Shape: "s", Properties: map[string]string{"A": "1", "B": "2"}, RuntimeBuild: "r",
			Device: "d", Architecture: "a", Tiles: "t", DriverVersion: "v", CompilerVersion: "c",
		}
	}
	seen := map[Key]string{base().Key(): "base"}
	add := func(name string, id Identity) {
		t.Helper()
		require.Empty(t, seen[id.Key()], "%s", name)
		seen[id.Key()] = name
	}
	for i := range reflect.TypeFor[Identity]().NumField() {
		field := reflect.TypeFor[Identity]().Field(i)
		if field.Type.Kind() != reflect.String {
			require.Equal(t, "Properties", field.Name)
			continue
		}
		for _, value := range []string{"", "x", "1"} {
			id := base()
			reflect.ValueOf(&id).Elem().Field(i).SetString(value)
			add(field.Name+"="+value, id)
		}
	}
	for name, properties := range map[string]map[string]string{
		"none": nil, "one": {"A": "1"}, "other value": {"A": "1", "B": "3"}, "other name": {"A": "1", "C": "2"},
		"more": {"A": "1", "B": "2", "C": ""}, "joined": {"A": "1B2"}, "swapped": {"A": "2", "B": "1"},
	} {
		id := base()
		id.Properties = properties
		add(name, id)
	}
	shifted := base()
	shifted.Model, shifted.Graph = "mg", ""
	add("shifted", shifted)

	again := base()
	again.Properties = maps.Clone(again.Properties)
	require.Equal(t, base().Key(), again.Key())
	require.Regexp(t, "^[0-9a-f]{64}$", again.Key().String())
}
