// One chain of rules judges everything: anyone who answers whether something may run imports it,
// and no one keeps a second order of reasons.
import { reasonCodes } from '#schemas/reasons'
import { at, sourcesOf, visit, type Files, type Source } from './source.ts'

const home = 'shared/rules/chain/judge.ts'
const words = 'schemas/reasons.ts'

/** Who judges: the stages, a release (confirmation), `decide` and `policy resolve`. */
const judges = [
  'services/workers/policy/decider.ts',
  'services/workers/confirmation/decider.ts',
  'services/cli/offline/decide.ts',
  'services/cli/offline/run.ts',
]
/** Who only shows what was judged. */
const tellers = ['shared/present/explain.ts']

const product = /^(schemas|shared|services|seeds)\//
const orderMin = 3
const codes: ReadonlySet<string> = new Set(reasonCodes)

export function oneRuleChain(files: Files): readonly string[] {
  const sources = sourcesOf(files).filter(({ path }) => product.test(path))
  return [
    ...missingImports(sources),
    ...sources.filter(({ path }) => path !== home && path !== words).flatMap(secondChain),
  ]
}

function missingImports(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    const mustJudge = judges.includes(source.path)
    if (!mustJudge && !tellers.includes(source.path)) return []
    const wanted = mustJudge ? 'judge' : 'Judgement'
    const imported = source.imports.some(({ from, names, isType }) => {
      const fromHome = from === '#rules/chain/judge' || from === './judge.ts'
      return fromHome && names.includes(wanted) && !(mustJudge && isType)
    })
    return imported ? [] : [`${source.path} does not import ${wanted} of ${home}: judge by it`]
  })
}

function secondChain(source: Source): readonly string[] {
  const found: string[] = []
  const report = (start: number, what: string): void => {
    found.push(at(source, start, `${what}: ${home} alone knows the order`))
  }
  if (source.exported.includes('judge')) report(0, 'exports another judge')
  for (const { names, isType, start } of source.imports) {
    if (names.includes('reasonCodes') && !isType) report(start, 'imports reasonCodes')
  }
  visit(source, {
    ArrayExpression({ elements, start }) {
      const named = elements.filter((element) => {
        return element?.type === 'Literal' && codes.has(String(element.value))
      })
      if (named.length >= orderMin) report(start, 'lists reason codes in an order')
    },
  })
  return found
}
