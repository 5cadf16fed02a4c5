// Shows one proposal with all that a person needs to rule on it: the gap, what is known around it,
// what a model made of it, and what accepting that would bind and turn.
import { configuration } from '#wiring/config'
import { Fault } from '#record/fault'
import { aroundOf } from '#messages/learning/around'
import { operationsOfCandidate } from '#messages/learning/candidate'
import type { Candidate } from '#schemas/learning'
import { allProposals, openProposals, rowOf, type ShownProposal } from '#operations/proposals'
import { waitingIn } from '#runtime/learning/held'
import { releasesOf } from '#runtime/learning/releases'
import type { Runtime } from '#runtime/engine/runtime'
import type { TodayReport } from '#replay/what-if/today'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { todayLines } from '#cli/rules/editing/flips-text'
import { hintsFor } from '#cli/terminal/hint'
import { indentedLines, type Line } from '#cli/terminal/line'
import { howToAnswerLines, askedLines, becameLines, bindingLines } from './print.ts'
import { withRuntime } from '#cli/terminal/opening/opened'
import { pickProposal } from './named.ts'
import { previewOf } from './preview.ts'

export interface PreviewOptions {
  /** How many verdicts are derived again; 0 for none. */
  readonly last: number
}

export async function showProposal(
  meant: string,
  options: GlobalOptions & PreviewOptions,
): Promise<number> {
  return withRuntime(options, { reads: true }, async (runtime) => {
    const { log, follower, clock } = runtime
    const { state } = follower
    const { graph } = state
    const at = { log, state }
    const held = await waitingIn(runtime, clock.now())
    const shown = await proposalNamed(runtime, meant, held)
    const around = aroundOf(graph, shown.data.template, shown.data.query.concepts)
    const candidate = shown.state === 'open' ? candidateIn(shown) : null
    const operations = candidate === null ? null : operationsOfCandidate(graph, candidate, null)
    const waiting = shown.waiting.map(({ intent }) => intent)
    const releases = await releasesOf(runtime, waiting)
    const preview =
      candidate === null
        ? null
        : await previewOf(runtime, {
            candidate,
            last: options.last,
            waiting: shown.waiting,
            releases,
          })
    if (options.json === true) {
      const row = await rowOf(shown, [{ at, waiting: held }])
      await printJson({ ...row, around, operations, preview })
      return exitCodes.yes
    }
    const now = clock.now()
    const hints = hintsFor(options, configuration())
    await print([
      ...askedLines(shown, { around, releases, now }),
      ...(operations === null ? [] : bindingLines(operations)),
      ...(preview === null ? [] : previewLines(preview)),
      ...(shown.state === 'open' ? howToAnswerLines(shown, hints) : becameLines(shown, now)),
    ])
    return exitCodes.yes
  })
}

/** What the model proposes; null where it proposes nothing that can be used. */
export function candidateIn({ suggestions }: Pick<ShownProposal, 'suggestions'>): Candidate | null {
  return suggestions.usable.at(-1)?.candidate ?? null
}

export function previewLines(preview: TodayReport): readonly Line[] {
  return ['  and then', ...indentedLines(indentedLines(todayLines(preview)))]
}

// What is open is known at once; what was is looked for in the log.
async function proposalNamed(
  runtime: Runtime,
  meant: string,
  held: Awaited<ReturnType<typeof waitingIn>>,
): Promise<ShownProposal> {
  const { log, place, clock, follower } = runtime
  const open = openProposals(follower.state, held)
  const isOpen = pickProposal(
    meant,
    place,
    open.map(({ id }) => id),
  )
  const found = open.find(({ id }) => id === isOpen)
  if (found !== undefined) return found
  const all = await allProposals(log, place, clock.now())
  const picked = pickProposal(
    meant,
    place,
    all.map(({ id }) => id),
  )
  const was = all.find(({ id }) => id === picked)
  if (was !== undefined) return was
  const why = `the log has no proposal \`${meant}\``
  throw new Fault('no_proposal', `${why}: list them with \`warrant proposals --all\``)
}
