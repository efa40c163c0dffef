// Package config is the one place for dragoman's settings and for where its
// files are: the configuration file, the data folder (runtimes and models) and
// the cache folder (compiled models, written graphs).
//
// It owns the names of the environment variables and of the configuration
// file's keys. It must not import the runtime's binding, the daemon's parts or
// the installer: all of them import it.
package config
