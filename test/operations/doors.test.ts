// Every operation of the table at every door: the same question has the same answer, in the shape
// that the table says; what is not there is refused alike, and so is who may not ask.
import { expect, test } from 'vitest'
import { exitCodes } from '#schemas/faults/exit'
import type { Operation } from '#schemas/operations/operation'
import { allOperations, operations, outputOf, type OperationName } from '#schemas/operations/table'
import { played, runAt } from '../surface/played.ts'
import { doorsOn, strangersOn, wordsFor } from './doors.ts'
import { questions, refused } from './questions.ts'

const all = allOperations.flatMap((name) => questions[name].map((asked) => ({ name, ...asked })))
const logs = [...new Set(all.map(({ log }) => log))]

/** Lines that are followed are no answer. */
function answers(name: OperationName, door: string): boolean {
  const { lines }: Operation = operations[name]
  return door !== 'command' || lines !== true
}

test.each(logs)('every door answers alike of %s, and refuses alike', async (log) => {
  const doors = [...(await doorsOn(log))]
  expect(doors.length).toBeGreaterThan(4)
  for (const { name, given } of all.filter((one) => one.log === log)) {
    const [first, ...others] = doors.filter(([door]) => answers(name, door))
    const answer = await first?.[1](name, given)
    expect(operations[name].output.parse(answer)).toEqual(answer)
    for (const [door, ask] of others) {
      const found = await ask(name, given)
      expect({ name, given, door, answer: found }).toEqual({ name, given, door, answer })
    }
  }
  for (const [name, { given }, code] of refused.filter(([, one]) => one.log === log)) {
    for (const [door, ask] of doors.filter(([one]) => answers(name, one))) {
      const found = await ask(name, given)
      expect({ name, given, door, code: found }).toEqual({ name, given, door, code })
    }
  }
})

test('what is of auditors is refused to others, and by MCP all is', async () => {
  const doors = await strangersOn('0.2.0')
  for (const name of allOperations) {
    const { who }: Operation = operations[name]
    const given = questions[name][0]?.given ?? {}
    const overHttp = await doors.get('HTTP')?.(name, given)
    expect(overHttp === 'reader_refused', name).toBe(who === 'auditor')
    const atConsole = await doors.get('console')?.(name, given)
    expect(atConsole === 'caller_refused', name).toBe(who === 'auditor')
    expect(await doors.get('MCP')?.(name, given)).toBe('reader_refused')
  }
})

test('the lines of `warrant log` are the facts that are listed, and the same filters', async () => {
  const log = '0.2.0-work'
  const doors = await doorsOn(log)
  const { cwd, now } = await played(log)
  for (const { given } of questions.facts.filter((one) => !('cursor' in one.given))) {
    const { order: _, content: __, limit: ___, ...filters } = given
    const asked = { ...filters, content: true, order: 'oldest', limit: 1_000 }
    const answer = outputOf('facts').parse(await doors.get('client')?.('facts', asked))
    const { stdout } = await runAt(now, cwd, [...wordsFor('facts', filters), '--json'])
    const lines = stdout.split('\n').filter((line) => line !== '')
    const rows = answer.rows.map(({ says: ____, ...row }) => row)
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(rows)
  }
})

const examples = allOperations.flatMap((name) => operations[name].examples)

test.each(examples)('%s can be called as it stands there', async (example) => {
  const { cwd, now } = await played('0.2.0-work')
  const words = example.replace(/^warrant /, '').split(' ')
  const { code, stderr } = await runAt(now, cwd, words)
  expect([exitCodes.yes, exitCodes.fault], stderr).toContain(code)
})
