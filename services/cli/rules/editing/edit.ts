// Binds one change set for the one who called, or only tries it and previews what it would do, and
// says what became of it.
import type { Flaw } from '#authoring/lint/flaw'
import { Fault } from '#record/fault'
import { change, type KeyAuthor } from '#authoring/change'
import { type Change, operationsOf, tried, type Operations } from '#authoring/change-check'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { changeIn, refuseMoved } from '#authoring/moved'
import type { Runtime } from '#runtime/engine/runtime'
import { refuseUnknownCallbacks } from '#authoring/seed-callbacks'
import type { EditOptions } from './edit-options.ts'
import { exitCodes } from '#schemas/faults/exit'
import { print, printJson } from '#cli/terminal/terminal'
import { dryRunLines } from './flips-text.ts'
import { boundLines, toBindLines, triedLines } from './change-text.ts'
import { withRuntime } from '#cli/terminal/opening/opened'
import { previewSets } from './preview-change.ts'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { warningLines, warningsOf } from './warnings.ts'

/** One command, one change set, one revision. */
export function edit(options: EditOptions, wanted: Change): Promise<number> {
  return withRuntime(options, { reads: options.dryRun === true }, async (runtime) => {
    refuseWithoutCatalog(runtime)
    if (options.dryRun === true) return tryOut(runtime, wanted, options)
    await refuseForeignCallbacks(runtime, operationsOf(runtime.follower.state, wanted))
    const author = await authorFor(runtime, options)
    const made = tried(runtime.follower.state, wanted)
    const warnings = warningsOf(runtime.follower.state, [made])
    const lines = [...toBindLines(wanted.kind, made.operations), ...warningLines(warnings)]
    await demandAgreement(options, { lines, as: author.id })
    const { name, revision, moved = [] } = await change(runtime, wanted, author, options)
    const fact = await runtime.log.get(name)
    const said = fact === undefined ? null : changeIn(wanted.kind, fact)
    const operations = said?.operations ?? []
    const bound = { kind: wanted.kind, revision, by: author.id, operations, moved }
    if (options.json === true)
      await printJson({ name, ...bound, ...reportedOf(wanted, warnings), dryRun: false })
    else await print([...boundLines(bound), ...warningLines(warnings)])
    return exitCodes.yes
  })
}

/** Few changes of the graph bring in any. */
function reportedOf({ kind }: Change, warnings: readonly Flaw[]): object {
  return kind === 'catalog' || warnings.length > 0 ? { warnings } : {}
}

/** Who signs what changes the graph or the catalog. */
export async function authorFor(runtime: Runtime, options: EditOptions): Promise<KeyAuthor> {
  return findPolicyAdmin(signerChoice(runtime, options))
}

/** The first catalog names who may sign, so it is no edit. */
export function refuseWithoutCatalog({ follower }: Pick<Runtime, 'follower'>): void {
  if (follower.state.catalogRevision > 0) return
  const how = "begin with 'warrant init', or import one with 'warrant apply FOLDER'"
  throw new Fault('no_catalog', `this log has no catalog yet, so no one may sign: ${how}`)
}

async function tryOut(runtime: Runtime, wanted: Change, options: EditOptions): Promise<number> {
  const { kind } = wanted
  if (options.base !== undefined) await refuseMoved(runtime, kind, options.base)
  const made = operationsOf(runtime.follower.state, wanted)
  const { operations } = made
  const refused = await refusalOf(runtime, made)
  const preview = refused === null ? await previewSets(runtime, [made], options.last) : null
  const warnings = refused === null ? warningsOf(runtime.follower.state, [made]) : []
  if (options.json === true) {
    const why = refused === null ? null : { code: refused.code, message: refused.message }
    const report = { kind, revision: null, operations, dryRun: true, refused: why }
    await printJson({ ...report, ...reportedOf(wanted, warnings), preview })
  } else {
    const lines = triedLines(kind, operations, refused?.message ?? null)
    await print([...lines, ...warningLines(warnings), ...dryRunLines(preview)])
  }
  return refused === null ? exitCodes.yes : exitCodes.fault
}

async function refusalOf(runtime: Runtime, made: Operations): Promise<Fault | null> {
  try {
    tried(runtime.follower.state, made)
    await refuseForeignCallbacks(runtime, made)
    return null
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

/** A policy that calls what no module has would refuse every call, and only when one is made. */
async function refuseForeignCallbacks(runtime: Runtime, made: Operations): Promise<void> {
  if (made.kind !== 'graph') return
  const primitives = made.operations.flatMap((operation) => {
    if (operation.op !== 'relate') return []
    const { name, level, relatum } = operation
    return [{ name, depths: [{ level, properties: {}, relata: [relatum] }] }]
  })
  const { graph } = runtime.follower.state
  await refuseUnknownCallbacks(runtime, { graph: { primitives }, callbacks: null }, graph)
}
