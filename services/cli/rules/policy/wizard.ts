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
import { openQuestions, type Questions, type Choice } from '#cli/terminal/questions'
import { print, printJson } from '#cli/terminal/terminal'
import { jsonLines } from '#present/json-lines'
import { toned } from '#cli/terminal/line'
import { appliedFolder, appliedJson, type ApplyOptions } from '../plan/apply.ts'
import { plannedHere, shownPlan } from '../plan/plan.ts'
import { planLines } from '../plan/print.ts'
import { seedLines } from '../seed/print.ts'
import { policyLines, policyEdgeText, policyEdgeLines, previewText } from './print.ts'
import { authorFor, refuseWithoutCatalog } from '../editing/edit.ts'
import { writeTexts } from '#cli/terminal/opening/file'
import { withRuntime } from '#cli/terminal/opening/opened'
import { refuseUnasked } from '#cli/terminal/signing'
import { adding, edgesOf, type PolicyEdge } from './edges.ts'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { caseFold } from '#record/case-fold'
import { isMap } from '#messages/envelope'
import { Policy, type GraphFile, type Cardinality, type Level } from '#schemas/graph'
import type { Catalog } from '#rules/catalog/catalog'
import { firstProblem } from '#record/problem'
import { find, primitivesOf, type Graph } from '#knowledge/graph/revision'
import { nearNames } from '#knowledge/graph/near-names'
import { didYouMean, nearest } from '#record/quote'
import { usage } from '#cli/terminal/failure'
import { pairs } from '#cli/terminal/opening/options'

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
      refuseMixed(planned, folder, meant)
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
function refuseMixed({ after }: PlannedSeed, folder: string, { edge, policy }: PolicyOnEdge): void {
  const { source, level, type, target, at } = edge
  const there = edgesOf(after.graph, source).find((one) => {
    return isDeepStrictEqual([one.level, one.type, one.target, one.at], [level, type, target, at])
  })
  const bound = there?.policies.find(({ name }) => name === policy.name)
  if (isDeepStrictEqual(bound, policy)) return
  const how = `take it out of graph.json and \`warrant apply ${folder} --prune\` first`
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

// The steps to a policy: each answered by its flag, else by a person, else by what a policy is
// without it. Nothing is asked where the flags name the edge and the policy.

interface PolicyFlags extends ApplyOptions {
  readonly source?: string
  readonly target?: string
  readonly level?: Level
  readonly name?: string
  readonly confirm?: boolean
  readonly confirmation?: string
  readonly trigger?: 'always' | Cardinality
  readonly callback?: string
  readonly message?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly replace?: boolean
}

interface Steps {
  /** With the files that are edited. */
  readonly folder: string
  readonly flags: PolicyFlags
  /** Opened by the first question, so that flags alone need no input. */
  readonly questions: () => Questions
}

/** Whether a person is walked through; else what no flag says is as it is without it. */
function walks({ source, target, name }: PolicyFlags): boolean {
  return source === undefined || target === undefined || name === undefined
}

/** The edge that the policy is for. */
async function edgeFor(graph: Graph, steps: Steps): Promise<PolicyEdge> {
  const { flags, questions } = steps
  const source = flags.source ?? (await sourceFor(graph, steps))
  const why = whyNoSource(graph, source, steps.folder)
  const code = find(graph, source) === undefined ? 'name_unknown' : 'edge_unknown'
  if (why !== null) throw new Fault(code, why)
  const edges = edgesOf(graph, source)
  const firing = edges.filter(({ type }) => type === 'APPLIES_TO')
  if (flags.target === undefined) questions().say(policyEdgeLines(source, edges))
  const target = flags.target ?? (await targetFor(firing, steps))
  const found = firing.filter((edge) => {
    const levelFits = flags.level === undefined || edge.level === flags.level
    return caseFold(edge.target) === caseFold(target) && levelFits
  })
  if (found.length === 0) throw noEdge(graph, { source, target, level: flags.level }, steps.folder)
  return oneOf(found, steps)
}

const sourcesShownMax = 40

function sourceFor(graph: Graph, { folder, questions }: Steps): Promise<string> {
  const sources = [...primitivesOf(graph)].flatMap(([, { name, edges }]) => {
    return edges.some(({ type }) => type === 'APPLIES_TO') ? [name] : []
  })
  const left = sources.length - sourcesShownMax
  const more = left > 0 ? `, … and ${left} more` : ''
  const shown = sources.slice(0, sourcesShownMax).join(', ')
  questions().say([`  they apply to something: ${sources.length === 0 ? 'none' : shown}${more}`])
  return questions().text({
    question: 'action (such as send)',
    flag: '--source',
    wrong: (name) => whyNoSource(graph, name, folder),
  })
}

function whyNoSource(graph: Graph, name: string, folder: string): string | null {
  const record = find(graph, name)
  if (record === undefined) {
    return `the graph has no \`${name}\`${didYouMean(nearNames(graph, name))}`
  }
  if (record.edges.some(({ type }) => type === 'APPLIES_TO')) return null
  const related = relating({ source: record.name, target: 'TARGET', folder })
  return `\`${record.name}\` applies to nothing; ${related}`
}

async function targetFor(edges: readonly PolicyEdge[], { questions }: Steps): Promise<string> {
  const targets = [...new Set(edges.map(({ target }) => target))]
  const [only] = targets
  const isMeant = (name: string) => targets.some((each) => caseFold(each) === caseFold(name))
  return questions().text({
    question: 'target, what it applies to',
    flag: '--target',
    ...(targets.length === 1 && only !== undefined && { fallback: only }),
    wrong: (name) =>
      isMeant(name)
        ? null
        : `it does not apply to \`${name}\`${didYouMean(nearest(targets, name))}`,
  })
}

function noEdge(
  graph: Graph,
  edge: { readonly source: string; readonly target: string; readonly level: Level | undefined },
  folder: string,
): Fault {
  const { source, target, level } = edge
  const where = level === undefined ? '' : ` on level ${level}`
  const near = find(graph, target) === undefined ? didYouMean(nearNames(graph, target)) : ''
  const message = `\`${source}\` does not apply to \`${target}\`${where}${near}`
  return new Fault('edge_unknown', `${message}; ${relating({ source, target, folder })}`)
}

function relating({
  source,
  target,
  folder,
}: Readonly<Record<'source' | 'target' | 'folder', string>>) {
  const edge = `{ "type": "APPLIES_TO", "target": ${JSON.stringify(target)}, "targetDepth": 1 }`
  const where = `the \`relata\` of a level of \`${source}\` in ${folder}/graph.json`
  return `relate them first: put \`${edge}\` into ${where}, then \`warrant apply ${folder}\``
}

async function oneOf(edges: readonly PolicyEdge[], steps: Steps): Promise<PolicyEdge> {
  const [first] = edges
  if (edges.length === 1 && first !== undefined) return first
  if (walks(steps.flags)) {
    const choices = edges.map((value): Choice<PolicyEdge> => ({
      label: policyEdgeText(value),
      value,
    }))
    return steps.questions().choose({ question: 'which edge', flag: '--level' }, choices)
  }
  const levels = [...new Set(edges.map(({ level }) => level))]
  // Edges of one level are seen together, so it is the same whichever has the policy.
  if (levels.length === 1 && first !== undefined) return first
  throw usage(`there are edges on the levels ${levels.join(' and ')}: choose one with --level`)
}

/** What a policy may name. */
interface Nameable {
  readonly catalog: Pick<Catalog, 'confirmations'>
  /** What the pinned module exports; none where no module is pinned. */
  readonly callbacks: readonly string[]
}

async function policyFor(
  edge: PolicyEdge,
  { catalog, callbacks }: Nameable,
  steps: Steps,
): Promise<Policy> {
  const { flags } = steps
  if (flags.confirm === false && flags.confirmation !== undefined) {
    throw usage('--confirmation says who must approve, and --no-confirm that no one must')
  }
  const name = flags.name ?? (await nameFor(edge, steps))
  const requiresConfirmation = flags.confirm ?? (await confirmFor(steps))
  const ids = [...catalog.confirmations.keys()]
  const confirmation = requiresConfirmation ? await confirmationFor(ids, steps) : null
  const triggerCardinality = await triggerFor(steps)
  const callback = await callbackFor(callbacks, requiresConfirmation, steps)
  const message = flags.message ?? (await messageFor(edge, steps))
  const metadata = flags.metadata ?? (await metadataFor(steps))
  const parsed = Policy.safeParse({
    name,
    requiresConfirmation,
    triggerCardinality,
    callback,
    ...(message !== null && { confirmationMessage: message }),
    ...(confirmation !== null && { confirmation }),
    metadata,
  })
  if (parsed.success) return parsed.data
  const { at, message: problem } = firstProblem(parsed.error.issues)
  throw usage(`${at}: ${problem}`)
}

const nameCharactersMax = 256

function nameFor({ policies }: PolicyEdge, { flags, questions }: Steps): Promise<string> {
  return questions().text({
    question: 'name of the policy',
    flag: '--name',
    wrong: (name) => {
      if (name.length > nameCharactersMax) return `it takes at most ${nameCharactersMax} characters`
      if (flags.replace === true || !policies.some((policy) => policy.name === name)) return null
      return 'the edge has one of that name: choose another, or begin again with --replace'
    },
  })
}

async function confirmFor({ flags, questions }: Steps): Promise<boolean> {
  if (!walks(flags)) return true
  return questions().yes({ question: 'must a person agree', flag: '--confirm', fallback: true })
}

async function confirmationFor(
  ids: readonly string[],
  { flags, questions }: Steps,
): Promise<string | null> {
  const { confirmation } = flags
  if (confirmation !== undefined) return known('confirmation', confirmation, ids)
  if (!walks(flags) || ids.length === 0) return null
  const own = { label: 'own', value: null, hint: 'the tool’s, else the agent’s owner' }
  const choices = [own, ...ids.map((id): Choice<string | null> => ({ label: id, value: id }))]
  return questions().choose({ question: 'by which confirmation', flag: '--confirmation' }, choices)
}

async function triggerFor({ flags, questions }: Steps): Promise<Cardinality | null> {
  const { trigger } = flags
  if (trigger !== undefined) return trigger === 'always' ? null : trigger
  if (!walks(flags)) return null
  return questions().choose<Cardinality | null>({ question: 'when', flag: '--trigger' }, [
    { label: 'always', value: null },
    { label: 'single', value: 'single', hint: 'single item' },
    { label: 'multiple', value: 'multiple', hint: 'bulk' },
  ])
}

async function callbackFor(
  exported: readonly string[],
  requiresConfirmation: boolean,
  { flags, questions }: Steps,
): Promise<string | null> {
  if (flags.callback !== undefined) return known('callback', flags.callback, exported)
  const functions = exported.map((name): Choice<string | null> => ({ label: name, value: name }))
  const none = { label: 'none', value: null, hint: 'people decide alone' }
  const choices = requiresConfirmation ? [none, ...functions] : functions
  if (choices.length === 0 || (!requiresConfirmation && !walks(flags))) throw withoutEffect()
  if (!walks(flags) || exported.length === 0) return null
  return questions().choose({ question: 'checked by which callback', flag: '--callback' }, choices)
}

function withoutEffect(): Fault {
  const message = 'a policy that asks no one and calls nothing could never refuse anything'
  const fix = 'require confirmation, or name a callback that the pinned module exports'
  return new Fault('policy_without_effect', `${message}: ${fix}`)
}

async function messageFor({ source }: PolicyEdge, { flags, questions }: Steps) {
  if (!walks(flags)) return null
  const usual = previewText({ confirmationMessage: null }, '{action}')
  const question = 'message, in which {action} stands for the source'
  const asked = { question, flag: '--message', fallback: usual }
  const message = await questions().text(asked)
  const confirmationMessage = message === usual ? null : message
  questions().say([`  people will read: ${previewText({ confirmationMessage }, source)}`])
  return confirmationMessage
}

async function metadataFor({ flags, questions }: Steps) {
  if (!walks(flags)) return {}
  const said = await questions().several({
    question: 'more to note, as key=value',
    flag: '--metadata',
    wrong: (line) => (line.indexOf('=') > 0 ? null : 'it takes key=value'),
  })
  return said.reduce<Readonly<Record<string, unknown>>>((before, line) => pairs(line, before), {})
}

const unknown = { confirmation: 'unknown_confirmation', callback: 'unknown_callback' } as const

function known(what: keyof typeof unknown, name: string, there: readonly string[]): string {
  if (there.includes(name)) return name
  const near = didYouMean(nearest(there, name))
  const all = there.length === 0 ? 'there is none' : `there are ${there.join(', ')}`
  throw new Fault(unknown[what], `no ${what} \`${name}\`${near}; ${all}`)
}
