//go:build unix

package desktop

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// powerSupplies is Linux' list (Documentation/ABI/testing/sysfs-class-power).
var powerSupplies = "/sys/class/power_supply"

// OnBattery says whether the machine runs on its battery: it has one that is
// being discharged, and no other supply is plugged in.
func OnBattery() (bool, error) {
	supplies, err := os.ReadDir(powerSupplies)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for a battery: %w", err)
	}
	discharging := false
	for _, s := range supplies {
		folder := filepath.Join(powerSupplies, s.Name())
		switch value(folder, "type") {
		case "Mains", "USB":
			if value(folder, "online") == "1" {
				return false, nil
			}
		case "Battery":
			// That of a mouse has this scope.
			if value(folder, "scope") != "Device" && value(folder, "status") == "Discharging" {
				discharging = true
			}
		}
	}
	return discharging, nil
}

func value(folder, name string) string {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
