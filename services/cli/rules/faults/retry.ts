// Tries a job that was set aside once more, here. The fault stays what it is, a fact; what comes of
// the new try are the facts that the stage would have bound, or the reason why not.
import { configuration } from '#wiring/config'
import { Fault } from '#record/fault'
import { isName, partsInRealm, patternsOf, type Place } from '#record/names'
import type { Stage } from '#stages/stage'
import type { OpenIntent } from '#state/intent'
import type { Fact, Log } from '#ports/log'
import { advanceOnce } from '#runtime/engine/advance-once'
import type { Runtime } from '#runtime/engine/runtime'
import { connect } from '#client/connect'
import { allStages } from '#workers/all-stages'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { hintsFor } from '#cli/terminal/hint'
import { printAnswer } from '#cli/agents/ask/answer'
import { capabilityNamed } from '#operations/capability-named'
import { asideJob } from '#operations/set-aside'
import type { AsideRow } from '#schemas/operations/faults'
import { agentOf, openIntentNamed } from '#cli/terminal/opening/open-intent'
import { atOnce, logsMeant, realmsText, refuseSeveral } from '#cli/terminal/opening/cells/logs'
import { clientStages, withOneLog, withRuntime } from '#cli/terminal/opening/opened'
import { settled } from '#cli/agents/ask/settled'

/** How long the other stages may take with what has come of it. */
const waitMs = 10_000

export async function retryFault(meant: string, options: GlobalOptions): Promise<number> {
  const stages = await clientStages(options)
  const there = await cellOfFault(options, meant)
  return withRuntime(there, { stages }, async (runtime) => {
    const aside = asideJob(runtime.follower.state, await faultNamed(runtime, meant))
    const { stage, intent } = await jobOf(runtime, aside)
    const { log, follower } = runtime
    const tool = await capabilityNamed({ log, state: follower.state }, intent)
    const agent = agentOf(runtime, intent)
    await again(runtime, stage, intent.address)
    await runtime.follower.reached((await runtime.log.head()).position)
    const client = await connect({ runtime })
    const wait = { waitMs, onReview: () => false }
    const answer = await settled(client.verdict(intent.address, wait))
    const hints = hintsFor(options, configuration())
    const json = options.json === true
    await printAnswer(runtime, answer, { tool, agent, hints, json })
    return answer.state === 'verdict' ? exitCodes.yes : exitCodes.noVerdict
  })
}

/** The options that mean the log that has the fault; as they are where there are no cells. */
async function cellOfFault(options: GlobalOptions, meant: string): Promise<GlobalOptions> {
  const all = await logsMeant(options)
  if (all.length === 1) return options
  if (isPosition(meant)) refuseSeveral(all, 'a position')
  const named = all.find((each) => partsInRealm(meant, each.options.realm) !== null)
  if (named !== undefined) return named.options
  const each = await atOnce(all, (at) =>
    withOneLog(at.options, async (log, place) => {
      return (await first(factsMeant(log, place, meant))) === null ? [] : [at]
    }),
  )
  const found = each.flat()
  const [only] = found
  if (only === undefined) throw noFault(meant, `none of ${realmsText(all)} has the fault`)
  if (found.length === 1) return only.options
  throw usage(`\`${meant}\` is in ${realmsText(found)}: give its full name`)
}

async function faultNamed({ log, follower }: Runtime, meant: string): Promise<Fact> {
  const { place } = follower.state
  const fact = await first(factsMeant(log, place, meant))
  if (fact !== null && partsInRealm(fact.name, place.realm)?.kind === 'fault') return fact
  throw noFault(meant, 'the log has no fault')
}

function noFault(meant: string, what: string): Fault {
  return new Fault('no_fault', `${what} \`${meant}\`: list them with \`warrant faults\``)
}

function isPosition(meant: string): boolean {
  return /^[1-9][0-9]{0,14}$/.test(meant)
}

/** A name may be given as `warrant log` shows it, without realm and era. */
function factsMeant(log: Log, place: Place, meant: string): AsyncIterable<Fact> {
  if (isPosition(meant)) return log.read({ from: Number(meant), to: Number(meant) })
  const [, queue = '', job = ''] = /^fault\.([^.*>]+)\.([^.*>]+)$/.exec(meant) ?? []
  if (queue !== '') return log.read({}, patternsOf(place, 'fault', queue, job))
  if (isName(meant)) return log.read({}, [meant])
  throw usage(`\`${meant}\` is neither a position nor a name`)
}

async function first(facts: AsyncIterable<Fact>): Promise<Fact | null> {
  for await (const fact of facts) return fact
  return null
}

// What is open at the fold of now: someone may have got further since.
async function jobOf(
  runtime: Runtime,
  aside: AsideRow,
): Promise<{ readonly stage: Stage; readonly intent: OpenIntent }> {
  const { name, queue, intent: address, code, message } = aside
  const stage = allStages.find((each) => each.name === queue)
  if (stage === undefined || address === null) {
    const why = stage === undefined ? `there is no stage \`${queue}\`` : `${code}: ${message}`
    throw new Fault('fault_void', `\`${name}\` reports no job: ${why}`)
  }
  return { stage, intent: await openIntentNamed(runtime, address) }
}

async function again(runtime: Runtime, stage: Stage, address: string): Promise<void> {
  try {
    await advanceOnce(runtime, stage, address)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'a value that is not an Error was thrown'
    const message = `${stage.name} failed again: ${why}`
    throw new Fault('job_failed_again', message, { cause })
  }
}
