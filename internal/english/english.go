// Package english puts numbers, sizes, times and what others say into messages for
// people.
//
// Every package may import it; it must not import anything of ours.
package english

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Count is n with its noun, which is given for one: "1 entry", "2 entries".
func Count[N int | int32 | int64 | uint64](n N, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return fmt.Sprint(n, " ", noun)
}

// Size is a number of bytes, in MiB where it is whole MiB, as limits are.
func Size(bytes int64) string {
	if bytes >= 1<<20 && bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return Count(bytes, "byte")
}

// Short is the beginning of a text of somebody else, which may be of any length: at
// most limit bytes, and a mark where something is left out.
func Short(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// plural follows the rules for regular nouns.
func plural(noun string) string {
	before, ends := noun[:max(0, len(noun)-1)], strings.HasSuffix
	switch {
	case ends(noun, "y") && before != "" && !strings.ContainsAny(before[len(before)-1:], "aeiou"):
		return before + "ies"
	case ends(noun, "s"), ends(noun, "x"), ends(noun, "ch"), ends(noun, "sh"):
		return noun + "es"
	}
	return noun + "s"
}

// Duration is a time in its two largest units at most: "1 minute", "90 seconds" as
// "1 minute 30 seconds", "2 hours 5 minutes". Below 10 s it has three digits.
func Duration(d time.Duration) string {
	if d < 0 {
		return "-" + Duration(-d)
	}
	if d < 10*time.Second && d%time.Second != 0 {
		return threeDigits(d)
	}
	// What is rounded up may be a whole of the next larger unit.
	d = d.Round(time.Second)
	if d >= time.Hour {
		d = d.Round(time.Minute)
	}
	if d >= 24*time.Hour {
		d = d.Round(time.Hour)
	}
	units := []struct {
		of   time.Duration
		noun string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}}
	for i, u := range units[:len(units)-1] {
		if d < u.of {
			continue
		}
		text, smaller := Count(int64(d/u.of), u.noun), units[i+1]
		if rest := int64(d % u.of / smaller.of); rest > 0 {
			text += " " + Count(rest, smaller.noun)
		}
		return text
	}
	return Count(int64(d/time.Second), "second")
}

// threeDigits is a time below 10 s that is not a whole number of seconds.
func threeDigits(d time.Duration) string {
	digits := func(of time.Duration) string {
		return strconv.FormatFloat(float64(d)/float64(of), 'g', 3, 64)
	}
	switch {
	case d < time.Microsecond-time.Nanosecond/2:
		return digits(time.Nanosecond) + " ns"
	case d < time.Millisecond-time.Microsecond/2:
		return digits(time.Microsecond) + " µs"
	case d < time.Second-time.Millisecond/2:
		return digits(time.Millisecond) + " ms"
	}
	if text := digits(time.Second); text != "1" {
		return text + " seconds"
	}
	return "1 second"
}
