#!/bin/sh
# Makes the certificates and keys beside it: for tests alone, trusted by nothing, good for a hundred years.
set -eu
cd "$(dirname "$0")"
request() { # name, subject
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$2" 2>/dev/null
}
self_signed() { # name, extensions, further options
  name=$1 extensions=$2
  shift 2
  printf '%s\n' "$extensions" > "$name.ext"
  openssl x509 -req -in "$name.csr" -signkey "$name.key" -out "$name.pem" -extfile "$name.ext" "$@" 2>/dev/null
}
by_authority() { # name, extensions, further options
  name=$1 extensions=$2
  shift 2
  printf '%s\n' "$extensions" > "$name.ext"
  openssl x509 -req -in "$name.csr" -CA authority.pem -CAkey authority.key -CAcreateserial \
    -out "$name.pem" -extfile "$name.ext" "$@" 2>/dev/null
}
here='subjectAltName=DNS:localhost,DNS:service.test,DNS:proxy.test,IP:127.0.0.1'

request authority 'svc tests, trusted by nothing'
self_signed authority 'basicConstraints=critical,CA:TRUE' -days 36500
request good service.test
by_authority good "$here" -days 36500
request other-host elsewhere.test
by_authority other-host 'subjectAltName=DNS:elsewhere.test' -days 36500
request self-signed service.test
self_signed self-signed "$here" -days 36500
# `-days` counts from now, also backwards; OpenSSL 3.4 and later refuse that, so the dates are given.
request expired service.test
printf '%s\n' "$here" > expired.ext
touch index.txt
openssl ca -batch -notext -config /dev/stdin -extfile expired.ext -in expired.csr -out expired.pem \
  -startdate 20200101000000Z -enddate 20200102000000Z -cert authority.pem -keyfile authority.key 2>/dev/null <<'CONFIG'
[ca]
default_ca = one
[one]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
[any]
commonName = supplied
CONFIG
rm -f -- *.csr *.ext *.srl index.txt* authority.key ??????????????????*.pem
