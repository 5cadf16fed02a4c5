// What the log promises, as cases that every adapter passes as they stand. There are no options: an
// adapter that cannot pass a case is no log.
import { describe, test } from 'vitest'
import { appendCases } from './conformance/appends.ts'
import { bindingCases } from './conformance/bindings.ts'
import type { LogHarness } from './conformance/cases.ts'
import { closingCases } from './conformance/closing.ts'
import { followCases } from './conformance/follows.ts'
import { queueCases } from './conformance/queues.ts'
import { readCases } from './conformance/reads.ts'
import { retryCases } from './conformance/retries.ts'

const chapters = {
  'what is appended': appendCases,
  'a name is bound once': bindingCases,
  'what is read': readCases,
  'what is followed': followCases,
  'what is worked': queueCases,
  'what is redelivered': retryCases,
  'what is closed': closingCases,
}

export function logConformance(label: string, create: () => Promise<LogHarness>): void {
  for (const [chapter, cases] of Object.entries(chapters)) {
    describe(`${label}: ${chapter}`, () => {
      for (const [sentence, prove] of Object.entries(cases)) {
        test(sentence, async () => {
          const harness = await create()
          try {
            await prove({ harness, log: await harness.open() })
          } finally {
            await harness.dispose()
          }
        })
      }
    })
  }
}
