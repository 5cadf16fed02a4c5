// Each task of the work demo by its gates alone: what the data expects of them is what they find.
import { describe, expect, onTestFinished, test } from 'vitest'
import { isFull } from '../../support/vitest/counts.ts'
import { readClaim, readContract } from '#work/verification/contract-reading'
import { verifyWork } from '#gates/verify-work'
import { findPrograms } from '#cli/demo/work/test-programs'
import { foundOf } from '#cli/demo/work/piece'
import { readWorkers } from '#cli/demo/work/piece'
import { contractOf, openWorkshop } from '#cli/demo/work/workshop'

const programs = await findPrograms()
const workers = await readWorkers('seeds/work')
const tasks = workers.flatMap(({ agent, tasks: all }) => all.map((task) => ({ agent, task })))

test('there are twenty tasks, each with a name of its own', () => {
  expect(tasks).toHaveLength(20)
  expect(new Set(tasks.map(({ task }) => task.task)).size).toBe(20)
  for (const { task } of tasks) expect(task.contract['taskId']).toBe(task.task)
})

describe('the gates find what is expected of', () => {
  test.runIf(isFull).each(tasks)('$agent: $task.way ($task.task)', async ({ agent, task }) => {
    const given = contractOf(task, programs)
    // Where Python is missing, the demo does not play it either.
    if (given === null) {
      expect(task.tests).toBe('python3')
      return
    }
    const read = readContract(given)
    const workshop = await openWorkshop([agent])
    onTestFinished(() => workshop.close())
    for (const [retries, attempt] of task.attempts.entries()) {
      await workshop.write(agent, attempt)
      const work = await verifyWork({
        ...read,
        place: { folder: workshop.folderOf(agent) },
        reported: { claim: readClaim(attempt.report, read.contract), retries },
        readable: programs.readable,
        acceptsProcess: programs.isolation === 'process',
        online: null,
        model: null,
      })
      expect(foundOf(work)).toEqual(attempt.gates)
    }
  })
})
