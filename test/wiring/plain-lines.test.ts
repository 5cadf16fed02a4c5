// Log lines as a program shows them: plain, one each, with what a person needs and no more.
import { expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { plainLine, plainLogger } from '#runtime/reporting/plain-lines'

function lines(level: string, log: (logger: ReturnType<typeof plainLogger>) => void): string[] {
  const written: string[] = []
  log(plainLogger(level, (line) => void written.push(line)))
  return written
}

test('a line has the phrase and its fields', () => {
  const written = lines('warn', (logger) => {
    logger.warn({ from: ['ann', 'bob'], until: 'noon', count: 2 }, 'waiting for approval')
    logger.warn('that is all')
  })
  expect(written).toEqual([
    'warrant: waiting for approval (from ann or bob, until noon, count 2)\n',
    'warrant: that is all\n',
  ])
})

test('an error is its message alone', () => {
  const error = new Fault('no_verdict', 'nothing came')
  const [line] = lines('warn', (logger) => logger.error({ error }, 'outcome not recorded'))
  expect(line).toBe('warrant: outcome not recorded (error nothing came)\n')
})

test('what is below the level is not written, and what is no entry is written as it is', () => {
  expect(lines('warn', (logger) => logger.info('started'))).toEqual([])
  expect(plainLine('[1]\n')).toBe('[1]')
})
