// Package locate finds OpenVINO's C library on this machine and says what was
// found: where, which release, which devices' plugins.
//
// It owns the order in which places are looked at and the layouts that OpenVINO
// comes in (a Python wheel, Intel's archive, a distribution's packages, our own
// data folder). It loads nothing and imports nothing of ours: the binding loads
// what is found here, the installer puts things where they are found.
package locate
