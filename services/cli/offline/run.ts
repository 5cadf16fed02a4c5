// Runs one offline command from its input to its exit code. What it judges by is read before the
// first line, so a broken file is reported before anything is answered.
import { configuration } from '#wiring/config'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#system/clock'
import { seedFileNames } from '#authoring/seed-files'
import { Fault, assert } from '#record/fault'
import { emptyGraph, type Graph } from '#knowledge/graph/revision'
import { readCallbackFile, withCallbacks, type OpenedCallbacks } from './callback-file.ts'
import { messageLimits, checkMessage, type MessageCheck } from '#messages/check'
import { judgeLines, lineBytesMax } from '#cli/terminal/judge-lines'
import { readCatalog, readGraph } from '#cli/terminal/opening/seed-file'
import { callbackAnswers } from '#stages/policies'
import { callbackContext } from '#stages/evidence/evidence'
import type { Violation } from '#rules/chain/violation'
import { reasonText } from '#present/reason-text'
import { questionText } from '#present/question-text'
import type { CallbackAnswer } from '#schemas/callbacks'
import { Level, type Gap } from '#schemas/graph'
import type { Reason, ReasonCode } from '#schemas/reasons'
import type { Question } from '#schemas/review'
import {
  decideLine,
  judgeLine,
  type CheckAsked,
  type DecidedLine,
  type JudgedLine,
  type OfflineBase,
} from './decide.ts'
import { lineRefusal, type LineRefusal } from '#cli/terminal/lines'
import { z } from 'zod'
import { firstProblem, unreadable } from '#record/problem'
import { loadSeeking } from '#knowledge/known/finding-values'
import { ground, type GroundingAnswer } from '#knowledge/grounding/ground'
import type { Profile } from '#knowledge/grounding/survey'
import { graphInLine } from './graph-in-line.ts'
import { judge, type Judgement } from '#rules/chain/judge'
import { issueText } from '#present/story/vlp-text'
import type { VlpIssue, VlpOutcome } from '#schemas/vlp'

interface GroundOptions {
  readonly graph?: string
  readonly profile: 'classic' | 'strict'
}

interface VlpCheckOptions {
  readonly details?: boolean
  readonly fail?: boolean
}

interface DecideOptions {
  readonly graph?: string
  readonly catalog?: string
  readonly callbacks?: string
  readonly seed?: string
  readonly details?: boolean
  readonly fail?: boolean
  /** The outcomes of which each ends it with another exit code. */
  readonly failOn?: readonly string[]
}

/** `vlp check`. A message is no longer than what a log takes as one fact. */
export function checkMessages(
  file: string | undefined,
  { details = false, fail = false }: VlpCheckOptions,
): Promise<number> {
  const answer = details ? vlpDetailedLine : vlpCheckLine
  const failing = fail ? ['fail'] : []
  return judgeLines(file, { lineBytesMax: messageLimits.bytesMax, answer, failing })
}

/** `ground`. */
export async function groundConcepts(
  file: string | undefined,
  { graph: path, profile }: GroundOptions,
): Promise<number> {
  if (path !== undefined && isNeo4j.test(path)) return groundInNeo4j(file, path, profile)
  const graph = path === undefined ? null : await readGraph(path)
  const answer = (value: unknown) => groundLine(value, graph, profile)
  return judgeLines(file, { lineBytesMax, answer })
}

const isNeo4j = /^(neo4j|bolt)(\+s|\+ssc)?:\/\//

/** Each line is answered from the graph as it is there when the line is read. */
async function groundInNeo4j(
  file: string | undefined,
  url: string,
  profile: GroundOptions['profile'],
): Promise<number> {
  const { neo4jAccess } = await import('#wiring/neo4j-access')
  const { Neo4jLink } = await import('#neo4j/driver/link')
  const { neo4jView } = await import('#neo4j/driver/view')
  const link = await Neo4jLink.open(await neo4jAccess(url, configuration()))
  const view = neo4jView(link)
  const answer = async (value: unknown): Promise<object> => {
    const line = readGroundLine(value)
    if ('error' in line) return line
    if (line.graph !== undefined && line.graph !== null) return groundLine(value, null, profile)
    const { graph } = await view.gather(line.concepts)
    return answerGroundLine(line, graph, profile)
  }
  try {
    return await judgeLines(file, { lineBytesMax, answer })
  } finally {
    await link.close()
  }
}

/**
 * `decide`. Without a graph nothing is known, without a catalog there is no capability to name, and
 * without a callback module every check has faulted.
 */
export async function decideRequests(
  file: string | undefined,
  options: DecideOptions,
): Promise<number> {
  const { seed, details = false, fail = false, failOn = [] } = options
  const failing = fail ? ['deny', ...failOn] : failOn
  const files = seed === undefined ? options : { ...filesIn(seed), ...options }
  const graph = files.graph === undefined ? emptyGraph : await readGraph(files.graph)
  const catalog = await readCatalog(files.catalog)
  // A line may have a capability of its own.
  await loadSeeking()
  const module = files.callbacks === undefined ? null : await readCallbackFile(files.callbacks)
  const time = new Date(systemClock.now()).toISOString()
  return withCallbacks(module, (opened) => {
    const base = { graph, catalog, opened, time, details }
    const answer = (value: unknown) => decideCalling(value, base)
    return judgeLines(file, { lineBytesMax, answer, failing })
  })
}

/** Those files of a seed folder that are there. Throws a Fault where it has neither of two. */
function filesIn(folder: string): Pick<DecideOptions, 'graph' | 'catalog' | 'callbacks'> {
  const found = Object.entries(seedFileNames)
    .map(([part, name]) => [part, join(folder, name)] as const)
    .filter(([, path]) => existsSync(path))
  const files: Pick<DecideOptions, 'graph' | 'catalog' | 'callbacks'> = Object.fromEntries(found)
  if (files.graph !== undefined || files.catalog !== undefined) return files
  const message = `\`${folder}\` holds no seed: write \`graph.json\` or \`catalog.json\` there`
  throw new Fault('seed_missing', message)
}

/** `policy resolve`. */
export function resolvePolicies(file: string | undefined): Promise<number> {
  return judgeLines(file, { lineBytesMax, answer: policyResolveLine })
}

// One line of `decide` with the callbacks that it calls, and what it was judged by in full. The
// line is judged once to learn what it calls, and again by the answers.

/** A decided line that says which rule, policy and parameters it came from. */
interface DetailedLine extends Omit<DecidedLine, 'reasons'> {
  readonly reasons: readonly (Reason & { readonly text: string })[]
  /** What people would be asked. */
  readonly questions: readonly (Question & { readonly text: string })[]
  /** The policies that were triggered and apply, with what their callbacks said. */
  readonly policies: readonly TriedPolicy[]
  /** What is not known well enough. */
  readonly gaps: readonly Gap[]
}

interface TriedPolicy extends Pick<Violation, 'source' | 'target' | 'callback'> {
  readonly policy: string
  readonly requiresConfirmation: boolean
}

interface CallingBase extends OfflineBase {
  readonly opened: OpenedCallbacks
  /** When a line is asked that does not say it: RFC 3339, UTC. */
  readonly time: string
  readonly details: boolean
}

async function decideCalling(
  value: unknown,
  base: CallingBase,
): Promise<DecidedLine | DetailedLine | LineRefusal> {
  const asked: CheckAsked[] = []
  const first = judgeLine(value, { ...base, callbacks: (one) => void asked.push(one) })
  if ('error' in first) return first
  const answers = await Promise.all(asked.map((one) => answerOf(one, base)))
  let next = 0
  const answered = {
    ...base,
    callbacks: () => {
      const answer = answers[next]
      next += 1
      assert(answer !== undefined, 'what a line calls does not depend on the answers')
      return answer
    },
  }
  if (!base.details) return decideLine(value, answered)
  const judged = judgeLine(value, answered)
  return 'error' in judged ? judged : detailed(judged)
}

async function answerOf(asked: CheckAsked, base: CallingBase): Promise<CallbackAnswer> {
  const { agent, callback, policy, source, target } = asked
  const { callbacks, module } = base.opened
  const reply = await callbacks.run({
    agent,
    module,
    name: callback,
    context: contextOf(asked, base),
  })
  const placed = { policy: { name: policy }, source, target }
  const [answer] = callbackAnswers([{ policy: placed, callback }], [reply])
  assert(answer !== undefined, 'a call has one answer')
  return answer
}

function contextOf(asked: CheckAsked, base: CallingBase) {
  const { agent, tool, request, session, evidence, position, now } = asked
  return callbackContext({
    agent,
    ground: asked.ground,
    now: base.catalog.now,
    time: now ?? base.time,
    session,
    evidence,
    position,
    request: {
      tool,
      args: request.args ?? undefined,
      constraints: request.constraints ?? undefined,
      goal: request.goal ?? undefined,
      justification: request.justification ?? undefined,
      scope: request.scope ?? undefined,
    },
  })
}

function detailed({ judgement, violations, gaps }: JudgedLine): DetailedLine {
  const { outcome, reasons, questions, constraints } = judgement
  return {
    outcome,
    reasons: reasons.map((reason) => ({ ...reason, text: reasonText(reason) })),
    constraints,
    questions: questions.map((question) => ({ ...question, text: questionText(question) })),
    policies: violations.map(({ policy, source, target, callback }) => {
      const { name, requiresConfirmation } = policy
      return { policy: name, source, target, requiresConfirmation, callback }
    }),
    gaps,
  }
}

// One line of `ground`, judged alone. Total: a line that cannot be read is answered with an error,
// and nothing is looked up but what the line says and the graph that it comes with.

type GroundLineAnswer = Pick<GroundingAnswer, 'grounded' | 'resolved' | 'gaps' | 'pathway'>

const GroundLine = z.strictObject({
  concepts: z.array(z.string()),
  // A null is what many programs write for none.
  minDepth: Level.nullish(),
  graph: z.unknown().optional(),
})

type GroundLine = z.infer<typeof GroundLine>

/** The answer to one line. A graph in the line stands before the one that was given for all. */
export function groundLine(
  value: unknown,
  graph: Graph | null,
  profile: Profile,
): GroundLineAnswer | LineRefusal {
  const line = readGroundLine(value)
  return 'error' in line ? line : answerGroundLine(line, graph, profile)
}

/** What the line asks. */
function readGroundLine(value: unknown): GroundLine | LineRefusal {
  const problem = unreadable(value)
  if (problem !== null) return lineRefusal(problem)
  const parsed = GroundLine.safeParse(value)
  return parsed.success ? parsed.data : lineRefusal(firstProblem(parsed.error.issues))
}

function answerGroundLine(
  line: GroundLine,
  graph: Graph | null,
  profile: Profile,
): GroundLineAnswer | LineRefusal {
  const asked = graphInLine(line.graph) ?? graph
  if (asked === null) {
    const message = 'no graph to ask: give one in the line or for all lines'
    return { error: { code: 'graph_missing', message } }
  }
  if ('error' in asked) return asked
  const query = { concepts: line.concepts, minDepth: line.minDepth ?? undefined, profile }
  const { grounded, resolved, gaps, pathway } = ground(asked, query)
  return { grounded, resolved, gaps, pathway }
}

// One line of `policy resolve`, judged alone by the rule chain that the stages use: what triggered
// policies and the answers of people come to. Total: a line that cannot be read is answered with an
// error.

interface ResolvedLine {
  readonly action: 'PASS' | 'BLOCK'
  /** Whether people are asked: never about what is refused whatever they say. */
  readonly asked: boolean
  readonly reason: ReasonCode | null
}

const ResolveLine = z.strictObject({
  violations: z.array(
    z.strictObject({
      requiresConfirmation: z.boolean(),
      callback: z.strictObject({ passed: z.boolean(), message: z.string().nullish() }).nullable(),
    }),
  ),
  /** Null where no one is there to ask. What a person's program answers may be anything. */
  answers: z.unknown(),
})

/**
 * The answer to one line of `policy resolve`. `answers` has one for each violation, since people
 * see all of them; an answer that is not one boolean for each agrees to nothing.
 */
export function policyResolveLine(value: unknown): ResolvedLine | LineRefusal {
  const problem = unreadable(value)
  if (problem !== null) return lineRefusal(problem)
  const parsed = ResolveLine.safeParse(value)
  if (!parsed.success) return lineRefusal(firstProblem(parsed.error.issues))
  const { answers = null } = parsed.data
  const violations = parsed.data.violations.map(({ requiresConfirmation, callback }, index) => ({
    policy: { name: `violations/${index}`, requiresConfirmation },
    source: '',
    target: '',
    message: 'a policy stands against it',
    callback: callback === null ? null : { passed: callback.passed },
  }))
  const alone = judge({ violations })
  const resolved = alone.outcome === 'review' ? afterAsking(violations, answers, alone) : alone
  return {
    action: resolved.outcome === 'allow' ? 'PASS' : 'BLOCK',
    asked: alone.outcome === 'review' && answers !== null,
    reason: resolved.reasons[0]?.code ?? null,
  }
}

function afterAsking(
  violations: readonly Violation[],
  answers: unknown,
  { questions }: Judgement,
): Judgement {
  if (answers === null) return judge({ violations, review: { state: 'no_confirmer' } })
  const agreed =
    Array.isArray(answers) &&
    answers.length === violations.length &&
    answers.every((answer) => answer === true)
  const review = { state: 'answered' as const, answers: questions.map(() => agreed) }
  return judge({ violations, review })
}

// One message judged alone, for tests in a user's own pipeline: no session, duplicate or reference
// is looked up and no catalog is at hand, so no constraint counts as unknown.

type Place = Pick<VlpIssue, 'code' | 'severity' | 'path'>

/** With its parameters, and what they mean in English. */
interface DetailedIssue extends VlpIssue {
  readonly detail: string
}

interface CheckedLine<Issue = Place> {
  readonly outcome: VlpOutcome
  readonly issues: readonly Issue[]
  /** Integer hundredths, 0 to 100. */
  readonly integrity: number
  readonly gate: VlpOutcome
}

export function vlpCheckLine(value: unknown): CheckedLine {
  return lineOf(value, ({ code, severity, path }) => ({ code, severity, path }))
}

function vlpDetailedLine(value: unknown): CheckedLine<DetailedIssue> {
  return lineOf(value, ({ code, severity, path, params }) => {
    return { code, severity, path, detail: issueText({ code, params }), params }
  })
}

function lineOf<Issue>(
  value: unknown,
  shown: (issue: MessageCheck['issues'][number]) => Issue,
): CheckedLine<Issue> {
  const { outcome, issues, integrity, gate } = checkMessage(value, { knownConstraints: [] })
  return { outcome, issues: issues.map(shown), integrity, gate }
}
