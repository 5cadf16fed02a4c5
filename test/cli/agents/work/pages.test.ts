// The pages of the commands that judge lines: each example prints what the page shows.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { expect, test } from 'vitest'
import { warrant } from '../../offline/program.ts'

const example = /^\$ echo '(?<line>[^']*)' \| warrant (?<command>.*)\n(?<answer>.*)\n/gm

test.each([
  ['agents/work.md', 6],
  ['rules/firewall.md', 2],
])('the examples of docs/%s', async (name, count) => {
  const page = await readFile(join(packageRoot(), 'docs', name), 'utf8')
  const examples = [...page.matchAll(example)].map(({ groups = {} }) => groups)
  expect(examples.length).toBe(count)
  for (const { line = '', command = '', answer = '' } of examples) {
    const { code, answers } = await warrant(command.split(' '), `${line}\n`)
    expect({ command, code, answers }).toEqual({ command, code: 0, answers: `${answer}\n` })
  }
})
