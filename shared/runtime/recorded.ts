// On replay, the answers of callbacks that looked outside are read back from the fact that kept them:
// the world outside has moved on. All others run again.
import type { CallbackAnswer } from '#schemas/facts'
import { nameOf } from '#core/names'
import type { View } from '#core/stage/view'
import type { Callbacks } from '#ports/callbacks'
import type { Fact, Log } from '#ports/log'
import { VerdictData } from '#schemas/facts'

/** Callbacks that answer what was recorded as recorded, and otherwise run. */
export async function recordedFirst(
  options: { readonly log: Pick<Log, 'get'>; readonly callbacks: Callbacks },
  view: View,
  fact: Fact,
  counted: { readBack: number },
): Promise<Callbacks> {
  const kept = (await answersOf(options.log, view, fact)).filter(
    ({ recorded }) => recorded === true,
  )
  if (kept.length === 0) return options.callbacks
  const left = [...kept]
  return {
    run: async (module, name, context) => {
      const index = left.findIndex(({ callback }) => callback === name)
      const [answer] = index < 0 ? [] : left.splice(index, 1)
      if (answer === undefined) return options.callbacks.run(module, name, context)
      counted.readBack += 1
      return replyOf(answer)
    },
    close: () => Promise.resolve(),
  }
}

function replyOf({ passed, message, applies, faulted }: CallbackAnswer) {
  if (faulted !== undefined) return { faulted, recorded: true as const }
  const answer = {
    passed,
    ...(message !== undefined && { message }),
    ...(applies !== undefined && { applies }),
  }
  return { answer, recorded: true }
}

// A counted use keeps no answers; the verdict that followed it does.
async function answersOf(log: Pick<Log, 'get'>, view: View, fact: Fact): Promise<CallbackAnswer[]> {
  const verdict = nameOf(view.place, 'verdict', view.intent.address)
  const source = fact.name.includes('.rate.') ? await log.get(verdict) : fact
  if (source === undefined) return []
  const { data } = JSON.parse(Buffer.from(source.bytes).toString('utf8'))
  const parsed = VerdictData.shape.callbacks.safeParse(data?.callbacks)
  return parsed.success ? parsed.data : []
}
