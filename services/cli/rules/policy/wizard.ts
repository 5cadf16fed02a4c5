// Writes a policy on an edge into the graph of a folder: step by step with a person, or by flags
// alone. Then it applies the folder as `warrant apply` does, with its preview and its question.
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Fault } from '#record/fault'
import { pinnedNames } from '#authoring/callback-store'
import type { PlannedSeed } from '#authoring/plan/seed-plan'
import { readSeed, seedFileNames, type SeedFiles } from '#authoring/seed-files'
import type { Runtime } from '#runtime/engine/runtime'
import { exitCodes } from '#schemas/faults/exit'
import { openQuestions, type Questions } from '#cli/terminal/questions'
import { print, printJson } from '#cli/terminal/terminal'
import { jsonLines } from '#present/json-lines'
import { toned } from '#cli/terminal/line'
import { appliedFolder, appliedJson } from '../plan/apply.ts'
import { plannedHere, shownPlan } from '../plan/plan.ts'
import { planLines } from '../plan/print.ts'
import { seedLines } from '../seed/print.ts'
import { policyLines, policyEdgeText } from './print.ts'
import { authorFor, refuseWithoutCatalog } from '../editing/edit.ts'
import { writeTexts } from '#cli/terminal/opening/file'
import { withRuntime } from '#cli/terminal/opening/opened'
import { refuseUnasked } from '#cli/terminal/signing'
import { adding, edgesOf, type PolicyEdge } from './edges.ts'
import { edgeFor, policyFor, type PolicyFlags, type Steps } from './steps.ts'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { caseFold } from '#record/case-fold'
import { isMap } from '#messages/envelope'
import type { GraphFile, Policy } from '#schemas/graph'

export async function policyWizard(folder: string, flags: PolicyFlags): Promise<number> {
  let opened: Questions | null = null
  const questions = (): Questions => {
    // The answer of the command goes to standard output, so the conversation does not.
    opened ??= openQuestions({ input: process.stdin, output: process.stderr })
    return opened
  }
  try {
    return await withRuntime(flags, { reads: flags.dryRun === true }, async (runtime) => {
      await refuseAtOnce(runtime, flags)
      const meant = await walk(runtime, { folder, flags, questions })
      // Steps and signature are not to read from the same terminal at once.
      closed(opened)
      // Read again: the questions may have taken a while.
      const files = withPolicy(await readSeed(folder), folder, meant)
      const planned = await plannedHere(runtime, files, false)
      refuseMixed(planned, meant)
      const edit = { folder, meant, files }
      if (flags.dryRun === true) await tryOut(runtime, { ...edit, planned }, flags)
      else await writeAndApply(runtime, edit, flags)
      return exitCodes.yes
    })
  } finally {
    closed(opened)
  }
}

function closed(opened: Questions | null): void {
  opened?.close()
}

/** Anyone who may not sign is informed before the first question, and before a file is written. */
async function refuseAtOnce(runtime: Runtime, flags: PolicyFlags): Promise<void> {
  refuseWithoutCatalog(runtime)
  if (flags.dryRun === true) return
  refuseUnasked(flags)
  await authorFor(runtime, flags)
}

/** The policy that is meant, in the graph and the catalog as the folder would make them. */
async function walk(runtime: Runtime, steps: Steps): Promise<PolicyOnEdge> {
  const files = await readSeed(steps.folder)
  const { graph, catalog } = (await plannedHere(runtime, files, false)).after
  const edge = await edgeFor(graph, steps)
  const callbacks = files.callbacks?.exported ?? (await pinnedNames(runtime)) ?? []
  const policy = await policyFor(edge, { catalog, callbacks }, steps)
  adding(edge.policies, policy, steps.flags.replace === true)
  return { edge, policy }
}

/** What only the log has of a policy stays when a folder is applied. */
function refuseMixed({ after }: PlannedSeed, { edge, policy }: PolicyOnEdge): void {
  const { source, level, type, target, at } = edge
  const there = edgesOf(after.graph, source).find((one) => {
    return isDeepStrictEqual([one.level, one.type, one.target, one.at], [level, type, target, at])
  })
  const bound = there?.policies.find(({ name }) => name === policy.name)
  if (isDeepStrictEqual(bound, policy)) return
  const how = `\`warrant policy remove ${source} ${target} ${policy.name}\` first`
  const message = `the log has more of \`${policy.name}\` than this says, and that would stay`
  throw new Fault('policy_taken', `${message}: ${how}`)
}

interface FolderEdit {
  readonly folder: string
  readonly meant: PolicyOnEdge
  /** As they are with the policy. */
  readonly files: SeedFiles
}

async function tryOut(
  runtime: Runtime,
  { planned, ...edit }: FolderEdit & { readonly planned: PlannedSeed },
  { json, last }: PolicyFlags,
): Promise<void> {
  const { folder, meant, files } = edit
  const shown = await shownPlan(runtime, files, planned, { what: folder, last })
  if (json === true) return printJson(reported(edit, { preview: shown.preview, applied: null }))
  const nothing = toned('warn', 'nothing was changed')
  await print([...policyLines(meant.edge, meant.policy), ...planLines(shown), nothing])
}

async function writeAndApply(
  runtime: Runtime,
  edit: FolderEdit,
  flags: PolicyFlags,
): Promise<void> {
  const { folder, meant, files } = edit
  const file = fileOf(edit)
  await writeTexts(file, [`${jsonLines(files.written.graph)}\n`])
  const written = `${file} has it; \`warrant apply ${folder}\` applies it if not now`
  if (flags.json !== true)
    await print([...policyLines(meant.edge, meant.policy), toned('good', written)])
  const report = await appliedFolder(runtime, folder, flags)
  const applied = appliedJson(runtime, report)
  const { revisions } = applied
  if (flags.json === true) await printJson(reported(edit, { preview: null, applied }))
  else await print(seedLines(report, { folder, revisions, begins: null }))
}

function fileOf({ folder }: FolderEdit): string {
  return join(folder, seedFileNames.graph)
}

/** `preview` is that of a dry run, as `apply` and `plan` have it. */
function reported(
  edit: FolderEdit,
  { preview, applied }: { readonly preview: unknown; readonly applied: object | null },
): object {
  const { edge, policy } = edit.meant
  const { source, level, type, target, targetDepth } = edge
  const where = { source, level, type, target, targetDepth }
  return { edge: where, policy, file: fileOf(edit), written: applied !== null, preview, applied }
}

// Writes a policy into the graph of a seed folder, on an edge that its file has. What else people
// wrote there stays as it is, down to what they left out.

/** The files with the policy, in the place of one of its name. */
function withPolicy(files: SeedFiles, folder: string, { edge, policy }: PolicyOnEdge): SeedFiles {
  const place = placeIn(files.graph, edge)
  if (place === null) {
    const which = `the edge from \`${edge.source}\`, ${policyEdgeText(edge)}`
    const how = `\`warrant pull ${folder}\` writes it into the folder`
    throw new Fault('edge_unknown', `only the log has ${which}: ${how}`)
  }
  const entry = writtenPolicy(policy)
  const graph = changedAt(files.written.graph, place, (there) => {
    const policies: readonly unknown[] = Array.isArray(there) ? there : []
    const isSame = (one: unknown) => isMap(one) && one['name'] === policy.name
    if (!policies.some(isSame)) return [...policies, entry]
    return policies.map((one) => (isSame(one) ? entry : one))
  })
  return { ...files, graph: parseGraphFile(graph), written: { ...files.written, graph } }
}

interface PolicyOnEdge {
  readonly edge: PolicyEdge
  readonly policy: Policy
}

type Place = readonly (string | number)[]

/** Where the policies of the edge are in the file; null where the file has no such edge. */
function placeIn({ primitives }: GraphFile, edge: PolicyEdge): Place | null {
  const source = primitives.findIndex(({ name }) => caseFold(name) === caseFold(edge.source))
  const depths = primitives[source]?.depths ?? []
  const depth = depths.findIndex(({ level }) => level === edge.level)
  const alike = [...(depths[depth]?.relata ?? []).entries()].filter(([, { type, target }]) => {
    return type === edge.type && caseFold(target) === caseFold(edge.target)
  })
  // The file's edges come before those alike that only the log has.
  const nth = alike[edge.at]?.[0]
  if (nth === undefined) return null
  return ['primitives', source, 'depths', depth, 'relata', nth, 'policies']
}

function changedAt(
  value: unknown,
  [step, ...rest]: Place,
  change: (there: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value)
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    return items.map((item, nth) => (nth === step ? changedAt(item, rest, change) : item))
  }
  const members = isMap(value) ? value : {}
  return { ...members, [step]: changedAt(members[step], rest, change) }
}

/** As people write it: what is as it would be without them stays away. */
function writtenPolicy({ metadata, ...policy }: Policy): object {
  const named = Object.entries(policy).filter(([, value]) => value !== null)
  const isNoted = Object.keys(metadata).length > 0
  return { ...Object.fromEntries(named), ...(isNoted && { metadata }) }
}
