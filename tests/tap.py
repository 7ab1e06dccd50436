"""TAP for test scripts in Python; tests/lib.sh is the same for shell."""


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def check(self, passed, name, *why):
        self.count += 1
        self.failed += not passed
        print(f'{"ok" if passed else "not ok"} {self.count} - {name}',
              flush=True)
        for line in () if passed else why:
            print('# ' + str(line).replace('\n', '\n# '), flush=True)

    def finish(self):
        print(f'1..{self.count}')
        return bool(self.failed)
