#!/bin/sh
# The print budget, and what must not stand in the sources.
. tests/lib.sh

# Lists the places where a pattern stands in the tree's own files.
lacks() {
	! grep -rnIE --exclude-dir=build --exclude-dir=.git \
		--exclude=style.t -e "$1" .
}

ok "make stats: the print budget" make -s stats
ok "make check-format: blanks and tabs" make -s check-format
ok "no work left undone" lacks 'TO''DO|FIX''ME|XX''X'
ok "no path of one machine" lacks '/wor''k/|/hom''e/[a-z]|\.\./share''d'

# Every mm file says its idea before its code.
heads() {
	for file in boot/*.asm kernel/*.[ch] mm/*.[ch] fs/*.[ch] fs/*/*.[ch] \
			drivers/*.[ch] lib/*.[ch] user/*.[ch]; do
		[ -e "$file" ] || continue
		case $(head -n 1 "$file") in
		'/*'*|';'*) ;;
		*) echo "$file" ;;
		esac
	done
}
is "every source file opens with a comment" "$(heads)" ""
finish
