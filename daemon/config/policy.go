package config

import (
	"fmt"
	"maps"
	"os"
	"slices"
)

// SourcePolicy is that of settings which the machine's administrator has fixed.
// Nothing goes before them: no file, no environment and no flag.
const SourcePolicy Source = "policy"

// policy is what the administrator has fixed. It is read where only
// administrators can write, and that place can be named by nobody who runs
// dragoman: /etc/dragoman/policy.toml, on Windows the registry below
// HKLM\SOFTWARE\Policies (see readPolicy).
type policy struct {
	place  string // for people
	reason string // in the administrator's words, "" if none is given
	fixed  map[string]fixedValue
}

type fixedValue struct {
	value any
	place string // with the line
}

// PolicyError is that the policy cannot be taken as it is. Whatever needs the
// settings fails then: nobody knows what the administrator wanted to forbid.
type PolicyError struct{ problem string }

func (e *PolicyError) Error() string {
	return fmt.Sprintf("the policy of this machine cannot be followed: %s; an administrator must correct or remove it, dragoman does nothing without", e.problem)
}

// FixedError is that someone asked for another value than the policy's.
type FixedError struct{ Key, Value, Place, Reason string }

func (e *FixedError) Error() string {
	text := fmt.Sprintf("%s is fixed to %s for this machine by %s", e.Key, e.Value, e.Place)
	if e.Reason != "" {
		text += " (" + e.Reason + ")"
	}
	return text + ": only an administrator can change that"
}

// reasonName stands beside the tables of a policy.
const reasonName = "reason"

// apply puts the policy's values over all others.
func (s *Settings) apply(p *policy) {
	if p == nil {
		return
	}
	s.policy = p
	for name, v := range p.fixed {
		k, _ := Find(name)
		k.assign(&s.Config, v.value)
		s.sources[name] = SourcePolicy
	}
}

// Fixed returns a *FixedError where the policy fixes the key of that name, and
// nil where people may change it.
func (c *Config) Fixed(name string) error {
	if c.policy == nil {
		return nil
	}
	v, ok := c.policy.fixed[name]
	if !ok {
		return nil
	}
	shown := literal(v.value)
	if k, _ := Find(name); k.Secret {
		shown = "a value that is not shown"
	}
	return &FixedError{Key: name, Value: shown, Place: v.place, Reason: c.policy.reason}
}

// Overrule returns a *FixedError where the policy fixes the key of that name to
// another value than a flag asks for.
func (c *Config) Overrule(name, asked string) error {
	k, known := Find(name)
	if !known || c.Fixed(name) == nil {
		return nil
	}
	if v, err := k.fromText(asked); err == nil && literal(v) == k.literal(c) {
		return nil
	}
	return c.Fixed(name)
}

// Policy says, for people, where the policy is and what it fixes; "" where there
// is none.
func (c *Config) Policy() (place, reason string, fixed []string) {
	if c.policy == nil {
		return "", "", nil
	}
	return c.policy.place, c.policy.reason, slices.Sorted(maps.Keys(c.policy.fixed))
}

// Getenv is os.Getenv without the variables that would choose another model or
// runtime than the policy's.
func (c *Config) Getenv(name string) string {
	if key, ok := alsoBy[name]; ok && c.Fixed(key) != nil {
		return ""
	}
	return os.Getenv(name)
}

// alsoBy are the variables besides Key.Env that go before settings.
var alsoBy = map[string]string{EnvModel: "inference.model", "DRAGOMAN_OPENVINO": "inference.runtime"}

// fix takes a value that was checked.
func (p *policy) fix(k Key, v any, place string) error {
	if path, isText := v.(string); isText && k.resolve != nil && k.resolve("..", path) != path {
		return fmt.Errorf("%q is a relative path: give an absolute one", path)
	}
	p.fixed[k.Name] = fixedValue{v, place}
	return nil
}

// refuseFixed is the error of changing keys that the policy fixes. To take a
// value out of the file, which does not count, is allowed.
func refuseFixed(values map[string]*string) error {
	p, err := readPolicy()
	if err != nil || p == nil {
		return err
	}
	c := Config{policy: p}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := c.Fixed(name); err != nil && values[name] != nil {
			return err
		}
	}
	return nil
}
