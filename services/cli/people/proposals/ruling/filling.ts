// What a person puts into a template: from a file, from flags, and where those leave something
// open, step by step. What is unsound is reported and asked again, and never bound.
import { OpenMap, type Level } from '#schemas/graph'
import { Candidate, type Proposed } from '#schemas/learning'
import { Fault } from '#record/fault'
import { caseFold } from '#record/case-fold'
import type { Graph } from '#knowledge/graph/revision'
import { placeholderWritten } from '#record/placeholder'
import { applyChange } from '#knowledge/graph/graph-change'
import { candidateProblem, levelsNeeded, operationsOfCandidate } from '#messages/learning/candidate'
import { problemText } from '#present/candidate'
import { usage } from '#cli/terminal/failure'
import type { Questions } from '#cli/terminal/questions'
import { inInput, readInput } from '#cli/terminal/opening/input'
import { askEdge, askLevel, type EdgeGiven } from './steps.ts'

type Properties = Candidate['levels'][number]['levels'][number]['properties']

/** One level as it was written behind `--level`. */
export interface LevelGiven {
  /** Null where the only one that is asked about is meant. */
  readonly name: string | null
  readonly level: Level
  readonly properties: Readonly<Record<string, unknown>>
}

/** What the flags say. */
export interface Filling extends EdgeGiven {
  readonly level?: readonly LevelGiven[]
  /** A file, or `-` for standard input. */
  readonly candidate?: string
  readonly yes?: boolean
}

export async function readCandidate(
  graph: Graph,
  wanted: Proposed,
  { candidate: file = '-', yes, ...steps }: Filling,
): Promise<Candidate> {
  if (steps.level !== undefined || steps.edge !== undefined) {
    throw usage('--candidate is the whole answer: leave out --level and --edge')
  }
  if (file === '-' && yes !== true) {
    throw usage('no one can be asked while standard input is the candidate: give --yes')
  }
  const input = await inInput(file, () => readInput(file, () => false))
  const said = input.as === 'value' ? input.value : null
  const shape = shapeProblem(said)
  if (shape !== null) throw unsound(shape)
  const candidate = Candidate.parse(said)
  const problem = soundness(graph, wanted, candidate)
  if (problem !== null) throw unsound(problem)
  return candidate
}

export interface FillingForm {
  /** As it is by now. */
  readonly graph: () => Graph
  readonly wanted: Proposed
  /** What a model proposes. */
  readonly proposed: Candidate | null
  readonly given: Filling
  readonly asking: () => Questions
}

const triesMax = 20

/** Asks for what the flags leave open until the candidate is sound. */
export async function candidateFrom(answering: FillingForm): Promise<Candidate> {
  const { graph, wanted, asking } = answering
  for (let tries = 0; tries < triesMax; tries += 1) {
    let questions = 0
    const counted = (): Questions => {
      questions += 1
      return asking()
    }
    const candidate = await filledOnce({ ...answering, asking: counted })
    const problem =
      shapeProblem(candidate) ??
      placeholderProblem(graph(), candidate) ??
      soundness(graph(), wanted, candidate)
    if (problem === null) return candidate
    if (questions === 0 || problem.code === 'gap_closed') throw unsound(problem)
    asking().say([`  this cannot be accepted: ${problem.message}`, '  once more:'])
  }
  throw new Fault('no_answer', 'no valid answer was given, so nothing is bound')
}

interface Problem {
  readonly code: string
  readonly message: string
}

function soundness(graph: Graph, wanted: Proposed, candidate: Candidate): Problem | null {
  const problem = candidateProblem(graph, wanted, candidate)
  if (problem === null) return null
  const { code } = problem
  const refused = code === 'graph_refuses' ? graphRefusal(graph, candidate) : null
  return { code, message: refused ?? problemText(problem) }
}

function graphRefusal(graph: Graph, candidate: Candidate): string | null {
  const change = applyChange(graph, operationsOfCandidate(graph, candidate, null))
  return 'refused' in change ? change.refused.message : null
}

/** What no ruling may say: it would be void, and its name used. */
function shapeProblem(candidate: unknown): Problem | null {
  const parsed = Candidate.safeParse(candidate)
  if (parsed.success) return null
  const [issue] = parsed.error.issues
  const where = issue?.path.join('/') ?? ''
  return { code: 'ill_formed', message: `/${where} ${issue?.message ?? ''}` }
}

function placeholderProblem(graph: Graph, candidate: Candidate): Problem | null {
  const found = placeholderWritten(operationsOfCandidate(graph, candidate, null))
  return found === null ? null : { code: 'placeholder_left', message: found.message }
}

function unsound({ code, message }: Problem): Fault {
  return new Fault('candidate_unsound', `nothing is bound: ${code}: ${message}`)
}

async function filledOnce(answering: FillingForm): Promise<Candidate> {
  const { wanted, given, proposed, asking } = answering
  const { template } = wanted
  const graph = answering.graph()
  const takesEdge = template.kind === 'REACHABILITY' || template.kind === 'CONSTRAINT'
  if (!takesEdge && given.edge !== undefined) {
    throw usage('levels are asked for, and no edge: leave out --edge')
  }
  const edge = takesEdge
    ? await askEdge({ graph, template, proposed: proposed?.edge ?? null, given, asking })
    : null
  const needed = levelsNeeded(graph, template, edge)
  const said = (given.level ?? []).map((one) => ({ ...one, name: ownerOf(one, needed) }))
  const levels: Candidate['levels'] = []
  for (const { name, levels: numbers } of needed) {
    const own = said.filter((one) => one.name === name)
    const added = own.map(({ level, properties }) => ({
      level,
      properties: OpenMap.parse(properties),
    }))
    for (const level of numbers) {
      if (own.some((one) => one.level === level)) continue
      // Anyone who says more of it says that it exists.
      const goesWithoutSaying = level === 0 && own.length > 0
      const asked = { name, level, proposed: proposedFor(proposed, name, level), asking }
      added.push({ level, properties: goesWithoutSaying ? {} : await askLevel(asked) })
    }
    levels.push({ name, levels: added.toSorted((one, other) => one.level - other.level) })
  }
  // What no one asked for is not passed over in silence.
  for (const { name, level, properties } of said) {
    if (needed.some((each) => each.name === name)) continue
    levels.push({ name, levels: [{ level, properties: OpenMap.parse(properties) }] })
  }
  return { levels, edge }
}

/** Whose level it is, spelled as it is asked for. */
function ownerOf({ name }: LevelGiven, needed: readonly { readonly name: string }[]): string {
  if (name !== null) {
    return needed.find((each) => caseFold(each.name) === caseFold(name))?.name ?? name
  }
  const [only] = needed
  if (only !== undefined && needed.length === 1) return only.name
  const names = needed.map((each) => `\`${each.name}\``).join(', ')
  if (needed.length === 0) throw usage('no level is missing: leave out --level')
  throw usage(`levels of ${names} are missing: give --level NAME:N key=value`)
}

function proposedFor(proposed: Candidate | null, name: string, level: number): Properties | null {
  const added = proposed?.levels.find((each) => caseFold(each.name) === caseFold(name))
  return added?.levels.find((each) => each.level === level)?.properties ?? null
}
