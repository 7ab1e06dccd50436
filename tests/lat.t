#!/bin/sh
# What the fast paths cost, in instructions, against their bounds. This is under
# objrmap: chains make a fork dearer, which is their point.
. tests/lib.sh

guest -i -t 300 -a rmap=objrmap -c 'lat -c'
is "every operation is within its bound" "$status" 0
printf '%s\n%s\n' "$out" "$said" | diag
finish
