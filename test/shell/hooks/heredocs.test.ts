// Heredocs of commands are contents: the log has their size, people see what stands in them, and
// what runs is never taken for one.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readShell } from '#judging/parser/parse'
import { heredocsIn } from '#shell/hooks/hook-input'

const of = (command: string) => heredocsIn(command, readShell)

test.each([
  ["cat > a <<'E'\nx\ny\nE", "cat > a <<'E'\n[4 bytes]\nE", ['x\ny\n']],
  ['cat <<E > a\n$X\nE\nmake', 'cat <<E > a\n[3 bytes]\nE\nmake', ['$X\n']],
  ['cat <<A; cat <<B\n1\nA\nä\nB', 'cat <<A; cat <<B\n[2 bytes]\nA\n[3 bytes]\nB', ['1\n', 'ä\n']],
  ['if a; then tee b <<-E\n\tx\n\tE\nfi', 'if a; then tee b <<-E\n[3 bytes]\n\tE\nfi', ['\tx\n']],
  ['(cat <<E\nx\nE\n) > a', '(cat <<E\n[2 bytes]\nE\n) > a', ['x\n']],
  ['while x; do y; done <<E\n1\nE', 'while x; do y; done <<E\n[2 bytes]\nE', ['1\n']],
  ['f() { cat <<E\n1\nE\n}; f', 'f() { cat <<E\n[2 bytes]\nE\n}; f', ['1\n']],
  ['cat <<E\nE', 'cat <<E\nE', []],
])('%j', (command, short, texts) => {
  expect(of(command)).toMatchObject({ short, texts })
})

test.each([
  'ls',
  'echo $((1 << 2))\nls',
  'cat <<< x\nrm a',
  'echo "<<E"\nrm a\nE',
  'git commit -m "$(cat <<\'E\'\nfix\nE\n)"',
])('%j has none', (command) => {
  expect(of(command)).toMatchObject({ short: command, texts: [] })
})

test('a command that cannot be read has all behind its first line for contents', () => {
  expect(of('cat > a <<E\nx\u0000\nE')).toMatchObject({
    short: 'cat > a <<E\n[4 bytes]',
    texts: ['x\u0000\nE'],
  })
  expect(of('cat <<E ) (')).toMatchObject({ short: 'cat <<E ) (', texts: [] })
})

test('the files that are written stand among its words', () => {
  expect(of("cd b && cat > ~/'.e'nv <<E\nx\nE").words).toEqual(['~/.env', 'cd', 'b', 'cat'])
  expect(of('cat > "$F" <<E\nx\nE').words).toEqual(['cat'])
})

test('nothing of what stands in one is left, and all around it is', () => {
  const line = fc.stringMatching(/^[a-z $"'`\\]{0,20}$/)
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      const body = lines.map((one) => `${one}~q~\n`).join('')
      const { short, texts } = of(`cat > a <<'END'\n${body}END\nls b`)
      expect(texts).toEqual([body])
      expect(short).toBe(`cat > a <<'END'\n[${Buffer.byteLength(body)} bytes]\nEND\nls b`)
    }),
  )
})
