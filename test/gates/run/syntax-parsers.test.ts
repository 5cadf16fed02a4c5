// Files that are parsed and never run: what is wrong is found, and what would keep a parser busy or
// break it proves nothing.
import { expect, test } from 'vitest'
import { parsedFiles } from '#gates/run/syntax-parsers'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { writeFiles } from '../../support/adapters/worked-folder.ts'

async function parsed(files: Readonly<Record<string, string>>, timeoutSeconds = 30) {
  const folder = await temporaryFolder()
  await writeFiles(folder, files)
  const asked = { folder, paths: Object.keys(files), timeoutSeconds, readable: [] }
  const { files: seen } = await parsedFiles(asked)
  return Object.fromEntries(seen.map((one) => [one.path, one.parsed]))
}

const valid = { is: 'valid' }

test('what each grammar allows', async () => {
  const files = {
    'a.py': '\ufeffdef f():\n    return 1\n',
    'a.js': '#!/usr/bin/env node\nimport a from "a"\nexport default await a\n',
    'b.js': 'with (a) b()\n',
    'a.cjs': 'module.exports = 1\n',
    'a.ts': 'enum A { B }\nnamespace N { export const c: number = 1 }\n',
    'a.jsx': 'export const A = ({ b }) => <p {...b} c="d">e &nbsp; {b} <></></p>\n',
    'b.jsx': 'with (a) b()\n',
    'a.tsx': 'enum A { B }\nexport const f = <T,>(x: T): JSX.Element => <A.B c={x as T} />\n',
    'b.tsx': '@sealed class A { @state accessor b: JSX.Element = <a /> }\n',
    'a.json': '{"a":1,"a":2}\n',
    'b.json': '\ufeff[1e999, "\\ud800"]\n',
    'a.yaml': 'a: &x [1]\nb: *x\n---\nc: 1\n',
  }
  expect(await parsed(files)).toEqual(
    Object.fromEntries(Object.keys(files).map((path) => [path, valid])),
  )
})

test('what each grammar forbids, with its line where the parser names it', async () => {
  const found = await parsed({
    'a.py': 'x = 1\nreturn x\n',
    'b.py': 'def f():\nreturn 1\n',
    'a.js': 'let a\nlet a\n',
    'a.mjs': 'with (a) b()\n',
    'a.ts': 'let a: = 1\n',
    'b.ts': 'let a = 1; let a = 2\n',
    'a.jsx': 'const a = (\n  <p></b>\n)\n',
    'a.tsx': 'const a = <string>b\n',
    'b.tsx': 'let a: = <b />\n',
    'a.json': '{"a":1,}',
    'b.json': '"\n"',
    // As many openings as bytes: that is for the parser, and no more than it may take.
    'c.json': '[',
    'd.json': '{{{{',
    'a.yml': 'a: [1\n',
  })
  expect(Object.values(found).map(({ is }) => is)).toEqual(Array(14).fill('invalid'))
  expect(found['a.py']).toEqual({ is: 'invalid', line: 2 })
  expect(found['a.js']).toEqual({ is: 'invalid', line: 2 })
  expect(found['a.jsx']).toEqual({ is: 'invalid', line: 2 })
})

test('JSON that is larger, deeper or later than is parsed proves nothing', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const sized = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`
  const bytesMax = 4 * 1024 * 1024
  const found = await parsed({
    'deep.json': nested(1_000),
    'deeper.json': nested(1_001),
    'large.json': sized(bytesMax),
    'larger.json': sized(bytesMax + 1),
  })
  expect(found).toEqual({
    'deep.json': valid,
    'deeper.json': { is: 'unknown', why: 'beyond_parser' },
    'large.json': valid,
    'larger.json': { is: 'unknown', why: 'too_large' },
  })
  const late = { is: 'unknown', why: 'timed_out' }
  expect(await parsed({ 'a.json': '{}' }, 0)).toEqual({ 'a.json': late })
})

test('nothing that is parsed is run', async () => {
  const folder = await temporaryFolder()
  const mark = `${folder}/ran`
  await parsed({
    'a.py': `open(${JSON.stringify(mark)}, "w").write("x")\n`,
    'a.js': `require("fs").writeFileSync(${JSON.stringify(mark)}, "x")\n`,
  })
  const { readdir } = await import('node:fs/promises')
  expect(await readdir(folder)).toEqual([])
})

test('what breaks a parser costs its own file alone', async () => {
  const found = await parsed({
    'deep.py': `${'('.repeat(100_000)}1${')'.repeat(100_000)}\n`,
    'deep.js': `${'['.repeat(100_000)}${']'.repeat(100_000)}\n`,
    'good.py': 'x = 1\n',
    'good.js': 'x = 1\n',
  })
  expect(found['deep.py']?.is).not.toBe('valid')
  expect(found['deep.js']?.is).not.toBe('valid')
  expect([found['good.py'], found['good.js']]).toEqual([valid, valid])
})

test('what keeps a parser busy ends with the time of the gate, and proves nothing', async () => {
  const files = ['py', 'js', 'json', 'yaml'].map((ending) => {
    return [`f.${ending}`, 'a'.repeat(1_000_000)] as const
  })
  // Labels of labels: a parser takes more than linear time for them.
  const found = await parsed({ ...Object.fromEntries(files), 'labels.ts': 'a: '.repeat(10_000) })
  expect(found['labels.ts']?.is).not.toBe('valid')
  expect(Object.keys(found)).toHaveLength(5)
})
