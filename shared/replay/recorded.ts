// On replay, the answers of callbacks that looked outside are read back from the fact that kept
// them: what they look at has moved on. All others run again.
import { includesText } from '#platform/bytes'
import { CallbackAnswer } from '#schemas/callbacks'
import { readJson } from '#record/json'
import type { CallbackRunner } from '#ports/callbacks'
import { entryBytesMax, type Fact } from '#ports/log'
import { z } from 'zod'

/** Callbacks that answer what was recorded as recorded, and otherwise run. */
export function recordedFirst(
  callbacks: CallbackRunner,
  fact: Fact,
  counted: { readBack: number },
): CallbackRunner {
  // Few keep such answers; the others are not read for that. Canonical bytes spell it one way.
  if (!includesText(fact.bytes, recordedMark)) return callbacks
  const left = answersOf(fact).filter(({ recorded }) => recorded === true)
  if (left.length === 0) return callbacks
  return {
    run: async (call) => {
      const index = left.findIndex(({ callback }) => callback === call.name)
      const [answer] = index < 0 ? [] : left.splice(index, 1)
      if (answer === undefined) return callbacks.run(call)
      counted.readBack += 1
      return replyOf(answer)
    },
  }
}

/** Callbacks that answer what was recorded, each once, and never run: their code is not here. */
export function recordedAlone(fact: Fact): CallbackRunner {
  return recordedWhereMissing(noModules, answersOf(fact))
}

const noModules: CallbackRunner = {
  run: () => Promise.resolve({ fault: { code: 'module_missing', params: {} } }),
}

/** Callbacks that answer what was recorded where the module is not here, and otherwise run. */
export function recordedWhereMissing(
  callbacks: CallbackRunner,
  answers: readonly CallbackAnswer[],
): CallbackRunner {
  if (answers.length === 0) return callbacks
  const left = [...answers]
  return {
    run: async (call) => {
      const index = left.findIndex(({ callback }) => callback === call.name)
      const [answer] = index < 0 ? [] : left.splice(index, 1)
      const outcome = await callbacks.run(call)
      const isMissing = 'fault' in outcome && outcome.fault.code === 'module_missing'
      if (!isMissing || answer === undefined) return outcome
      return { ...replyOf(answer), recorded: answer.recorded ?? false }
    },
  }
}

function replyOf({ passed, message, applies, fault }: CallbackAnswer) {
  if (fault !== undefined) return { fault, recorded: true as const }
  const answer = {
    passed,
    ...(message !== undefined && { message }),
    ...(applies !== undefined && { applies }),
  }
  return { answer, recorded: true }
}

const Answered = z.object({ data: z.object({ callbacks: z.array(CallbackAnswer) }) })

const recordedMark = '"recorded":true'

// A fact that is being derived again may be a forgery, and say anything.
function answersOf(fact: Fact): readonly CallbackAnswer[] {
  const json = readJson(fact.bytes, { bytesMax: entryBytesMax, depthMax: 128, inexact: 'change' })
  const parsed = Answered.safeParse(json.ok ? json.value : null)
  return parsed.success ? parsed.data.data.callbacks : []
}
