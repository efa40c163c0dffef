package config

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"golang.org/x/sys/windows/registry"
)

// policyKey is where the policy is in HKLM, with a value for each setting. It is
// the registry and no file in %ProgramData%, because every user may make folders
// there, so that the first to come would write the policy of all; and because
// group policies and their like distribute registry values. Only what links the
// program can name another place (-X dragoman/daemon/config.policyKey=...).
var policyKey = `SOFTWARE\Policies\dragoman`

// readPolicy returns the policy, nil where there is none.
func readPolicy() (*policy, error) {
	place := `HKLM\` + policyKey
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, policyKey, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &PolicyError{place + ": " + err.Error()}
	}
	defer key.Close()
	names, err := key.ReadValueNames(0)
	if err != nil {
		return nil, &PolicyError{place + ": " + err.Error()}
	}
	p := &policy{place: place, fixed: map[string]fixedValue{}}
	for _, name := range names {
		if err := p.value(key, name); err != nil {
			return nil, &PolicyError{fmt.Sprintf(`%s: %s: %v`, place, name, err)}
		}
	}
	return p, nil
}

// value takes one value of the registry: a text (REG_SZ) as `dragoman config set`
// takes it, a number (REG_DWORD, REG_QWORD), 1 or 0 for true and false, or the
// entries of a list (REG_MULTI_SZ).
func (p *policy) value(key registry.Key, name string) error {
	if name == reasonName {
		var err error
		p.reason, _, err = key.GetStringValue(name)
		return err
	}
	k, known := Find(name)
	if !known {
		return errors.New(unknown(name))
	}
	_, kind, err := key.GetValue(name, nil)
	if err != nil {
		return err
	}
	var v any
	switch kind {
	case registry.SZ, registry.EXPAND_SZ:
		var text string
		if text, _, err = key.GetStringValue(name); err == nil {
			v, err = k.fromText(text)
		}
	case registry.MULTI_SZ:
		var items []string
		if items, _, err = key.GetStringsValue(name); err == nil {
			list := make([]any, len(items))
			for i, item := range items {
				list[i] = item
			}
			v, err = k.fromTOML(list)
		}
	case registry.DWORD, registry.QWORD:
		var n uint64
		if n, _, err = key.GetIntegerValue(name); err == nil {
			text := strconv.FormatUint(n, 10)
			if k.Type == Switch && n <= 1 {
				text = strconv.FormatBool(n == 1)
			}
			v, err = k.fromText(text)
		}
	default:
		return errors.New("this kind of value is not taken: use REG_SZ, REG_DWORD or REG_MULTI_SZ")
	}
	if err != nil {
		return err
	}
	return p.fix(k, v, p.place)
}

func stampOfPolicy() policyStamp {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, policyKey, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return policyStamp{}
		}
		return policyStamp{id: err.Error()}
	}
	defer key.Close()
	info, err := key.Stat()
	if err != nil {
		return policyStamp{id: err.Error()}
	}
	return policyStamp{fmt.Sprint(info.ValueCount, info.ModTime().UnixNano()), info.ModTime()}
}
