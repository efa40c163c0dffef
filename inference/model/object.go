package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// object is a JSON object whose values are read key by key, so that every
// complaint names the file and the key.
type object struct {
	path   string
	values map[string]json.RawMessage
}

func parseObject(f *smallFile) (*object, error) {
	o := &object{path: f.path}
	if err := json.Unmarshal(f.data, &o.values); err != nil {
		return nil, jsonError(f.path, err)
	}
	if o.values == nil {
		return nil, fmt.Errorf("read %s: it holds null, not a JSON object", f.path)
	}
	return o, nil
}

// jsonError adds the file and, where known, the byte at which JSON broke.
func jsonError(path string, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("read %s: broken JSON at byte %d: %w", path, syntax.Offset, err)
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("read %s: unexpected JSON %s at byte %d: %w", path, kind.Value, kind.Offset, err)
	}
	return fmt.Errorf("read %s: broken JSON: %w", path, err)
}

func (o *object) refuse(key, why string) error {
	return fmt.Errorf("%q in %s %s", key, o.path, why)
}

// value returns a key's JSON; a null counts as absent.
func (o *object) value(key string) (json.RawMessage, bool) {
	raw, ok := o.values[key]
	return raw, ok && !bytes.Equal(raw, []byte("null"))
}

func (o *object) text(key string) (s string, found bool, err error) {
	raw, found := o.value(key)
	if !found {
		return "", false, nil
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", false, o.refuse(key, "is not a string")
	}
	return s, true, nil
}

func (o *object) boolean(key string, into *bool) error {
	raw, found := o.value(key)
	if !found {
		return nil
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return o.refuse(key, "is neither true nor false")
	}
	return nil
}

// integer also takes a list of one number, which generation_config.json may
// have for eos_token_id.
func (o *object) integer(key string, into *int) (found bool, err error) {
	raw, found := o.value(key)
	if !found {
		return false, nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		if len(list) != 1 {
			return false, o.refuse(key, fmt.Sprintf("is a list of %d values: one number is needed", len(list)))
		}
		raw = list[0]
	}
	n, err := strconv.Atoi(string(bytes.TrimSpace(raw)))
	if err != nil {
		return false, o.refuse(key, "is not a whole number")
	}
	*into = n
	return true, nil
}
