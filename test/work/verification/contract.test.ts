// Contracts: what is wrong with one is named with its place, and its digest is that of what was
// written.
import { expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { readClaim, readContract } from '#work/verification/contract-reading'

const least = { taskId: 'T-1', objective: 'Write it.' }

test('the least that a contract is', () => {
  const { contract, digest } = readContract(least)
  expect(contract).toMatchObject({
    maxRetries: 3,
    timeoutSeconds: 120,
    verificationMode: 'deterministic',
  })
  expect(contract).toMatchObject({
    councilSize: 3,
    taskType: 'custom',
    checkSyntax: true,
    runLint: false,
  })
  expect(contract).toMatchObject({ maxContextTokens: 8_000, highStakes: false, minFileSize: 0 })
  // Neither the order of keys nor a default is part of it.
  expect(readContract({ objective: 'Write it.', taskId: 'T-1' }).digest).toBe(digest)
  expect(readContract({ ...least, maxRetries: 3 }).digest).not.toBe(digest)
})

test.each([
  [{ objective: 'x' }, 'taskId: '],
  [{ ...least, task_id: 'T-1' }, 'no such key: `task_id`'],
  [{ ...least, requiredFiles: ['/etc/passwd'] }, 'requiredFiles/0: must not begin with `/`'],
  [{ ...least, requiredFiles: ['a', '../b'] }, 'requiredFiles/1: must not have `.` or `..`'],
  [{ ...least, requiredFiles: ['a//b'] }, 'requiredFiles/0: must not be empty'],
  [{ ...least, requiredFiles: [''] }, 'requiredFiles/0: '],
  [
    { ...least, lintPaths: ['--init-hook=x'], runLint: true },
    'lintPaths/0: must not begin with `-`',
  ],
  [{ ...least, runTests: 'npm test' }, 'runTests: give the program and its arguments as a list'],
  [{ ...least, runTests: [] }, 'runTests: '],
  [{ ...least, runTests: [' '] }, 'runTests: the first text must name a program'],
  [{ ...least, testFiles: [{ path: 'a', content: '' }] }, 'testFiles: give `runTests`'],
  [{ taskId: 'T-1' }, 'objective: is missing'],
  [{ ...least, minFileSize: -1 }, 'minFileSize: '],
  [{ ...least, timeoutSeconds: '60' }, 'timeoutSeconds: '],
  [{ ...least, maxRetries: 0 }, 'maxRetries: '],
  [{ ...least, verificationMode: 'trust' }, 'verificationMode: '],
  [{ ...least, taskType: 'research' }, 'document: name the text'],
  [{ ...least, taskType: 'Research', document: 'a.md' }, 'taskType: '],
  [{ ...least, document: '*.md' }, 'document: must name one file'],
  [{ ...least, sourcesOnly: true, document: 'a.md' }, 'userProvidedContext: give the sources'],
  [{ ...least, runLint: true }, 'lintPaths: name the files'],
  [{ ...least, councilSize: 0 }, 'councilSize: '],
  [{ ...least, userProvidedContext: [{ content: 'x' }] }, 'userProvidedContext/0/messageId: '],
  [[], 'expected an object'],
])('what is wrong with %j', (value, message) => {
  const read = (): unknown => readContract(value)
  expect(read).toThrow(Fault)
  expect(read).toThrow(message)
})

test('a text as context is one message of the user, and blank text has no message', () => {
  const contextOf = (userProvidedContext: string) => {
    return readContract({ ...least, userProvidedContext }).contract.userProvidedContext
  }
  expect(contextOf(' \n ')).toEqual([])
  expect(contextOf(' a b ')).toEqual([
    { messageId: 'legacy', timestamp: '', content: 'a b', sourceType: 'user_message' },
  ])
})

test('a claim about another task, or in another shape, is not read', () => {
  const { contract } = readContract(least)
  expect(readClaim({ status: 'success' }, contract)).toMatchObject({ filesCreated: [] })
  expect(readClaim({ status: 'success', taskId: 'T-1' }, contract)).not.toBeNull()
  expect(readClaim({ status: 'success', taskId: 'T-2' }, contract)).toBeNull()
  expect(readClaim({ status: 'SUCCESS' }, contract)).toBeNull()
  expect(readClaim({ status: 'success', filesCreated: 'a' }, contract)).toBeNull()
  expect(readClaim([], contract)).toBeNull()
  expect(readClaim(null, contract)).toBeNull()
})
