#!/bin/sh
# sign.sh FILE: signs a program or installer of Windows in place, for SIGN of
# build.sh. CERTIFICATE is a PKCS#12 file and PASSWORD_FILE holds its password; with
# TIMESTAMP, the address of a timestamp server, the signature outlives the certificate.
# Needs osslsigncode. A signature has a time: signed files differ from build to build.
set -eu
signed=$1.signed
osslsigncode sign -pkcs12 "$CERTIFICATE" -readpass "$PASSWORD_FILE" -h sha256 -n Dragoman \
	${TIMESTAMP:+-ts "$TIMESTAMP"} -in "$1" -out "$signed" >/dev/null
mv "$signed" "$1"
