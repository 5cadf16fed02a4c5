// From texts as people edit them to what they come to: a request with all that led to its verdict,
// and test cases beside it. It runs wherever there is a JavaScript, a browser included, by the
// functions that answer an agent. No callback runs here: a case states what it answers.
import { z } from 'zod'
import { catalogOfBytes, graphOfBytes } from '#authoring/changes/seed-texts'
import { utf8 } from '#platform/bytes'
import { canCompile } from '#platform/packages'
import { emptyGraph, type Graph } from '#knowledge/graph/revision'
import type { CallbackRunner } from '#ports/callbacks'
import { explain } from '#present/explain'
import { fixesOf } from '#present/fixes'
import { treeText } from '#present/grounding-tree'
import { jsonLines } from '#present/json-lines'
import { remediesOf } from '#present/remedy'
import { Fault } from '#record/fault'
import type { CameTo } from '#replay/what-if/came-to'
import { withPackages } from '#replay/with-packages'
import type { Catalog } from '#rules/catalog/catalog'
import { newCatalog } from '#rules/catalog/catalog-file'
import { deciders } from '#workers/deciders'
import { CaseGiven, TestCase } from './case-format.ts'
import { casesOf, partOf, yamlOfText } from './case-texts.ts'
import { outcomeText } from './check-case.ts'
import { shareOf } from './coverage.ts'
import {
  casesJson,
  caseTimeDefault,
  triedCases,
  type CasesBase,
  type CasesReport,
} from './tried-cases.ts'
import { tryCase } from './try-case.ts'

/** Each may be empty. */
export const JudgingTexts = z.strictObject({
  catalog: z.string(),
  graph: z.string(),
  /** A test case without a name and without what is expected. */
  request: z.string(),
  /** What is `given` to that case. */
  history: z.string(),
  cases: z.string(),
})
export type JudgingTexts = z.infer<typeof JudgingTexts>
export type JudgingPart = keyof JudgingTexts

const Problem = z.strictObject({ part: JudgingTexts.keyof(), text: z.string() })

const AskedRequest = z.strictObject({
  outcome: z.enum(['allow', 'deny', 'ask', 'hold', 'nothing']),
  /** The outcome in one sentence, then one line for each reason, gap and question. */
  lines: z.array(z.string()),
  /** What was known of what it asks about, as a tree. */
  known: z.string(),
  /** What would change it, one text for each thing. */
  help: z.array(z.string()),
})

const TriedTexts = z.strictObject({
  cases: z.array(
    z.strictObject({
      name: z.string(),
      outcome: z.string(),
      /** None where all is as expected. */
      differences: z.array(z.string()),
    }),
  ),
  coverage: z.number(),
  /** What no case exercised. */
  uncovered: z.array(z.string()),
  /** As `warrant test --json` prints it. */
  json: z.string(),
})

export const JudgedTexts = z.strictObject({
  problems: z.array(Problem),
  asked: AskedRequest.nullable(),
  tried: TriedTexts.nullable(),
})
export type JudgedTexts = z.infer<typeof JudgedTexts>

/** Total: it reports what is wrong with a text, which costs only what rests on that text. */
export async function judgedTexts(texts: JudgingTexts): Promise<JudgedTexts> {
  const problems: z.infer<typeof Problem>[] = []
  const named = async <T>(part: JudgingPart, run: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await run()
    } catch (error) {
      // A package that is missing yet is no problem of the text.
      if (!(error instanceof Fault)) throw error
      problems.push({ part, text: error.message })
      return null
    }
  }
  return withPackages(async () => {
    problems.length = 0
    const catalog = await named('catalog', () => catalogIn(texts.catalog))
    const graph = await named('graph', () => graphIn(texts.graph))
    if (!canCompile()) problems.push({ part: 'catalog', text: 'this page may compile no schema' })
    if (catalog === null || graph === null) return { problems, asked: null, tried: null }
    const given = await named('history', () => historyIn(texts.history))
    const of = given && (await named('request', () => requestIn(texts.request, given)))
    const asked = of && (await named('request', () => askedFor(of, { catalog, graph })))
    const tried = await named('cases', () => triedIn(texts.cases, { catalog, graph }))
    return { problems, asked, tried }
  })
}

interface JudgingBase {
  readonly catalog: Catalog
  readonly graph: Graph
}

const isEmpty = (text: string): boolean => text.trim() === ''

function catalogIn(text: string): Catalog {
  return isEmpty(text) ? newCatalog : catalogOfBytes('catalog.json', utf8(text))
}

function graphIn(text: string): Graph {
  return isEmpty(text) ? emptyGraph : graphOfBytes('graph.json', utf8(text))
}

function historyIn(text: string): z.infer<typeof CaseGiven> {
  return partOf('history', '', CaseGiven, isEmpty(text) ? {} : yamlOfText('history', text))
}

const Request = TestCase.omit({ name: true, given: true, expect: true })

function requestIn(text: string, given: z.infer<typeof CaseGiven>): TestCase | null {
  if (isEmpty(text)) return null
  const request = partOf('request', '', Request, yamlOfText('request', text))
  return { ...request, name: 'request', given, expect: { outcome: 'allow' } }
}

const noCallbacks: CallbackRunner = {
  run: () => Promise.resolve({ fault: { code: 'module_unpinned', params: {} } }),
}

async function askedFor(of: TestCase, base: JudgingBase): Promise<JudgedTexts['asked']> {
  const { catalog, graph } = base
  const trial = { catalog, graph, callbacks: noCallbacks, module: null, stages: deciders }
  const came = await tryCase(of, { ...trial, now: caseTimeDefault })
  const { agent, outcome, reasons, grounding } = came
  const ground = grounding?.ground ?? null
  const remedies = remediesOf(catalog, { agent, tool: of.request.tool, reasons })
  return {
    outcome,
    lines: linesOf(came),
    known: ground === null ? 'nothing had to be known' : treeText(ground),
    help: [
      ...(outcome === 'ask' ? [`${came.confirmers.join(', ')} may approve it`] : []),
      ...remedies.map((one) => {
        const how = 'command' in one ? `warrant ${one.command}` : `${one.entry} has ${one.written}`
        return `${one.what}: ${how}`
      }),
      ...(ground === null ? [] : fixesOf(graph, ground)).map(({ text, where, pieces }) => {
        if (where === null) return text
        return `${text} ${where}:\n${pieces.map((piece) => jsonLines(piece)).join(',\n')}`
      }),
    ],
  }
}

function linesOf({ outcome, reasons, questions, constraints }: CameTo): string[] {
  const judged = { reasons, questions, constraints }
  switch (outcome) {
    case 'allow':
    case 'deny':
      return explain({ ...judged, outcome })
    case 'ask':
      return explain({ ...judged, outcome: 'review' })
    case 'hold':
      return ['It is held until people have closed its gaps.']
    case 'nothing':
      return ['Nothing was decided: the request counts as no intent.']
  }
}

async function triedIn(text: string, base: JudgingBase): Promise<JudgedTexts['tried']> {
  if (isEmpty(text)) return null
  const cases = casesOf('cases.yaml', utf8(text))
  const elapsed = (): number => 0
  const trial = { ...base, callbacks: noCallbacks, module: null, elapsed, never: notTried }
  const report = await triedCases(cases, trial)
  return {
    cases: report.tried.map(({ name, came, differences }) => {
      const outcome = came === null ? 'never' : outcomeText(came)
      return { name, outcome, differences: [...differences] }
    }),
    ...coverageIn(report),
    json: JSON.stringify(casesJson(report)),
  }
}

/** Every kind of call is too much for a page that is judged at each key. */
const notTried: CasesBase['never'] = () => {
  return Promise.resolve({ came: null, differences: ['`warrant test` checks it, not this page'] })
}

function coverageIn({ rules }: CasesReport) {
  const left = rules.filter(({ cases }) => cases === 0)
  return { coverage: shareOf(rules), uncovered: left.map(({ kind, name }) => `${kind} ${name}`) }
}
