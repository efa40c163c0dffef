package message

import "strings"

// fromEnvironment returns the languages that the variables of POSIX and of
// gettext ask for, as BCP 47 tags, the most wanted first. The first of LC_ALL,
// LC_MESSAGES and LANG that is set counts; LANGUAGE lists more than one but
// counts only where that is not the C locale (gettext manual, 2.3).
func fromEnvironment(getenv func(string) string) []string {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale = getenv(name); locale != "" {
			break
		}
	}
	main, ok := tagOfLocale(locale)
	if !ok {
		return nil
	}
	var tags []string
	for l := range strings.SplitSeq(getenv("LANGUAGE"), ":") {
		if tag, ok := tagOfLocale(l); ok {
			tags = append(tags, tag)
		}
	}
	return append(tags, main)
}

// tagOfLocale turns ll_CC.charset@modifier into ll-CC.
func tagOfLocale(locale string) (tag string, ok bool) {
	locale, _, _ = strings.Cut(locale, "@")
	locale, _, _ = strings.Cut(locale, ".")
	if locale == "" || locale == "C" || locale == "POSIX" {
		return "", false
	}
	return strings.ReplaceAll(locale, "_", "-"), true
}
