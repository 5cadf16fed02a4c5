// The steps in which a person fills a template: an edge, and the levels it needs. It shows what is
// known of both ends, and takes nothing as answered that was not.
import { OpenMap, relationTypes, type Level, type RelationType } from '#schemas/graph'
import type { Candidate, CandidateEdge, Template } from '#schemas/learning'
import { levelQuestions } from '#record/placeholder'
import { find, type Graph } from '#knowledge/graph/revision'
import { quoted } from '#record/quote'
import { depthText, levelText } from '#present/gap'
import { candidateLines } from '#present/proposal'
import { level as levelOf } from '#cli/rules/editing/edit-options'
import { pairs } from '#cli/terminal/opening/options'
import type { Questions } from '#cli/terminal/questions'

type Properties = Candidate['levels'][number]['levels'][number]['properties']

/** What the flags say of an edge. */
export interface EdgeGiven {
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

export async function askEdge(asked: EdgeAsked): Promise<CandidateEdge> {
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

const triesMax = 20

export async function askLevel(asked: {
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
