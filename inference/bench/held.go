package main

import (
	"errors"
	"os"

	"dragoman/inference/kernel"
)

// instructionSets are what both sides can be held to, with what CTranslate2 and the
// libraries that it multiplies with read: what other processors would do, but for their
// memory and caches. The graphs of OpenVINO are not held.
var instructionSets = map[string]map[string]string{
	"AVX2":         {"CT2_FORCE_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2", "ONEDNN_MAX_CPU_ISA": "AVX2"},
	"AVX-VNNI":     {"CT2_FORCE_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2", "ONEDNN_MAX_CPU_ISA": "AVX2_VNNI"},
	"AVX-512 VNNI": {"MKL_ENABLE_INSTRUCTIONS": "AVX512", "ONEDNN_MAX_CPU_ISA": "AVX512_CORE_VNNI"},
}

// hold holds this process and those that it starts.
func (s settings) hold() error {
	if s.held == "" {
		return nil
	}
	if s.record || s.check {
		return errors.New("--instructions does not go with --record and --check: ratios are recorded of whole processors")
	}
	if err := kernel.Use(s.held); err != nil {
		return err
	}
	for name, value := range instructionSets[s.held] {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}
