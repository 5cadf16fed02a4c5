// What a person puts into a template: from a file, from flags, and where those leave something
// open, step by step. What is unsound is reported and asked again, and never bound.
import { OpenMap, type Level, relationTypes, type RelationType } from '#schemas/graph'
import { Candidate, type Proposed, type CandidateEdge, type Template } from '#schemas/learning'
import { Fault } from '#record/fault'
import { caseFold } from '#record/case-fold'
import { type Graph, find } from '#knowledge/graph/revision'
import { placeholderWritten, levelQuestions } from '#record/placeholder'
import { applyChange } from '#knowledge/graph/graph-change'
import { candidateProblem, levelsNeeded, operationsOfCandidate } from '#messages/learning/candidate'
import { problemText } from '#present/candidate'
import { usage } from '#cli/terminal/failure'
import type { Questions } from '#cli/terminal/questions'
import { inInput, readInput } from '#cli/terminal/opening/input'
import { quoted } from '#record/quote'
import { depthText, levelText } from '#present/gap'
import { candidateLines } from '#present/proposal'
import { level as levelOf } from '#cli/rules/editing/edit-options'
import { pairs } from '#cli/terminal/opening/options'

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

// The steps in which a person fills a template: an edge, and the levels it needs. It shows what is
// known of both ends, and takes nothing as answered that was not.

/** What the flags say of an edge. */
interface EdgeGiven {
  readonly edge?: Pick<CandidateEdge, 'source' | 'type' | 'target'>
  readonly sourceLevel?: Level
  readonly targetLevel?: Level
}

interface EdgeAsked {
  readonly graph: Graph
  readonly template: Template
  /** Of a model. */
  readonly proposed: CandidateEdge | null
  readonly given: EdgeGiven
  readonly asking: () => Questions
}

async function askEdge(asked: EdgeAsked): Promise<CandidateEdge> {
  const { proposed, given, asking } = asked
  const isOpen = given.edge === undefined && given.sourceLevel === undefined
  if (proposed !== null && isOpen && given.targetLevel === undefined) {
    asking().say(['The model proposes', ...candidateLines({ levels: [], edge: proposed })])
    if (await asking().yes({ question: 'Take that edge?', flag: '--edge' })) return proposed
  }
  const { source, type, target } = given.edge ?? (await askEnds(asked))
  if (given.sourceLevel === undefined || given.targetLevel === undefined) {
    asking().say([
      'An edge counts once its source is known down to the level that it hangs on; from then on',
      'its target must be known down to the other level.',
    ])
  }
  const sourceLevel = given.sourceLevel ?? (await askEnd(asked, source, 'source'))
  const targetLevel = given.targetLevel ?? (await askEnd(asked, target, 'target'))
  return { source, target, type, sourceLevel, targetLevel }
}

const relationHints = {
  APPLIES_TO: 'an action, and what it acts on; policies sit on these',
  REQUIRES: 'it cannot be done without it',
  CONSTRAINED_BY: 'it is limited by it',
  DEPENDS_ON: 'it works only as that does',
  INCLUDES: 'it has that as a part',
} as const satisfies Record<RelationType, string>

async function askEnds({ template, asking }: EdgeAsked): Promise<Required<EdgeGiven>['edge']> {
  const questions = asking()
  const flag = '--edge'
  if (template.kind === 'CONSTRAINT') {
    const question = 'What is constrained'
    const source = await choose(questions, { question, flag }, template.primitives)
    const wrong = tooLong
    const target = await questions.text({ question: 'What constrains it', flag, wrong })
    return { source, type: 'CONSTRAINED_BY', target }
  }
  if (template.kind !== 'REACHABILITY') throw new Error('broken invariant: no edge is asked for')
  const { primitive, others } = template
  const ways = others.flatMap((other) => [
    { source: primitive, target: other },
    { source: other, target: primitive },
  ])
  const way = await questions.choose(
    { question: 'Which way does it lead', flag },
    ways.map((value) => ({ label: `${value.source} → ${value.target}`, value })),
  )
  const question = `What is ${quoted(way.target)} to ${quoted(way.source)}`
  const types = relationTypes.map((value) => ({ label: value, value, hint: relationHints[value] }))
  return { ...way, type: await questions.choose({ question, flag }, types) }
}

async function choose(
  questions: Questions,
  asked: { readonly question: string; readonly flag: string },
  names: readonly string[],
): Promise<string> {
  const [only] = names
  if (only !== undefined && names.length === 1) return only
  return questions.choose(
    asked,
    names.map((value) => ({ label: value, value })),
  )
}

const nameCharactersMax = 256

function tooLong(name: string): string | null {
  return name.length > nameCharactersMax ? `it has more than ${nameCharactersMax} characters` : null
}

async function askEnd(
  { graph, asking }: EdgeAsked,
  name: string,
  end: 'source' | 'target',
): Promise<Level> {
  const reached = find(graph, name)?.strict
  const known =
    reached === undefined
      ? `${quoted(name)} is not in the graph, so what it is must be described first`
      : `${quoted(name)} is known ${depthText(reached < 0 ? null : reached)}`
  // Where the end is known that deeply, nothing else has to be described.
  const fallback = reached === undefined ? 1 : Math.min(1, Math.max(0, reached))
  const why = reached === undefined ? '' : `; to D${fallback} nothing more has to be described`
  asking().say([`  ${known}${why}`])
  const text = await asking().text({
    question: `Level of ${quoted(name)}, the ${end}`,
    flag: `--${end}-level`,
    fallback: String(fallback),
    wrong: (answer) => (isLevel(answer) ? null : 'it is a level from 0 to 4, or the name of one'),
  })
  return levelOf(text)
}

function isLevel(text: string): boolean {
  try {
    levelOf(text)
    return true
  } catch {
    return false
  }
}

async function askLevel(asked: {
  readonly name: string
  readonly level: number
  /** By a model. */
  readonly proposed: Properties | null
  readonly asking: () => Questions
}): Promise<Properties> {
  const { name, level, proposed } = asked
  const questions = asked.asking()
  const flag = '--level'
  const added = { name, levels: [{ level, properties: proposed ?? {} }] }
  if (proposed !== null) {
    questions.say(['The model proposes', ...candidateLines({ levels: [added], edge: null })])
    if (await questions.yes({ question: 'Take that?', flag })) return proposed
  }
  const asks = level === 0 ? 'that it exists.' : (levelQuestions[level] ?? '')
  const what = `${quoted(name)} ${levelText(level)}: ${asks}`
  for (let tries = 0; tries < triesMax; tries += 1) {
    const question = `${what} A sentence, or key=value`
    const said = await questions.several({ question, flag, wrong: notSaid })
    if (said.length > 0 || level === 0) return propertiesOf(said)
    questions.say(['  an empty level does not count: give at least one property'])
  }
  return {}
}

const pairPattern = /^[\p{L}_][\p{L}\p{N}_.-]*\s*=/u
/** More than a word: a word alone is a key that lost its value. */
const sentencePattern = /\p{L}[^=]*\s\S*\p{L}/u
/** What was meant for the shell: an option, or the command itself. */
const commandPattern = /(^|[;|&]\s*)warrant\s|\s--[a-z]/

function notSaid(line: string): string | null {
  if (commandPattern.test(line)) return 'this is a command: say what it is'
  if (pairPattern.test(line) || sentencePattern.test(line)) return null
  return 'write a sentence, or key=value, such as is="a text for people"'
}

/** What is no pair is a sentence, and describes it. */
function propertiesOf(lines: readonly string[]): Properties {
  let properties: Properties = {}
  const sentences = lines.filter((line) => !pairPattern.test(line))
  if (sentences.length > 0) properties = { description: sentences.join(' ') }
  for (const line of lines.filter((one) => pairPattern.test(one))) {
    const said = pairs(line.replace(/\s*=\s*/, '='))
    properties = { ...properties, ...OpenMap.parse(said) }
  }
  return properties
}
