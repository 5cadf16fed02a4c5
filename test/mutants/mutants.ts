// The small mistakes that are planted into a source file: an operator that is its neighbour, a
// condition turned round, a bound moved by one, a statement that is gone.
import { parseSync, Visitor } from 'oxc-parser'

export interface Mutant {
  readonly path: string
  readonly line: number
  /** What is written there, and what is planted for it. */
  readonly before: string
  readonly after: string
  readonly start: number
  readonly end: number
}

const neighbours: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
}

interface Place {
  readonly start: number
  readonly end: number
}

/** Every mistake that can be planted into the text, in its order. */
export function mutantsOf(path: string, text: string): readonly Mutant[] {
  const mutants: Mutant[] = []
  const add = ({ start, end }: Place, after: string): void => {
    const line = text.slice(0, start).split('\n').length
    mutants.push({ path, line, before: text.slice(start, end), after, start, end })
  }
  const operator = (left: Place, right: Place, sign: string): void => {
    const other = neighbours[sign]
    if (other === undefined) return
    const start = text.indexOf(sign, left.end)
    if (start !== -1 && start < right.start) add({ start, end: start + sign.length }, other)
  }
  const { program } = parseSync(path, text)
  new Visitor({
    BinaryExpression: ({ left, right, operator: sign }) => operator(left, right, sign),
    LogicalExpression: ({ left, right, operator: sign }) => operator(left, right, sign),
    UnaryExpression({ operator: sign, argument, start, end }) {
      if (sign === '!') add({ start, end }, text.slice(argument.start, argument.end))
    },
    Literal({ value, start, end }) {
      if (typeof value === 'boolean') add({ start, end }, String(!value))
      if (typeof value === 'number') add({ start, end }, String(value + 1))
    },
    ConditionalExpression({ test, consequent, alternate, start, end }) {
      const [condition = '', yes = '', no = ''] = [test, consequent, alternate].map((part) =>
        text.slice(part.start, part.end),
      )
      add({ start, end }, `${condition} ? ${no} : ${yes}`)
    },
    IfStatement({ alternate, start, end }) {
      if (alternate === null) add({ start, end }, ';')
    },
    ExpressionStatement({ expression, start, end }) {
      const { type } = expression
      const isDone = type === 'CallExpression' || type === 'AwaitExpression'
      if (isDone || type === 'AssignmentExpression') add({ start, end }, ';')
    },
  }).visit(program)
  return mutants.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

export function planted(text: string, { start, end, after }: Mutant): string {
  return text.slice(0, start) + after + text.slice(end)
}

/** So many of them, spread over all by numbers that are the same for the same seed. */
export function chosen(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  let state = seed
  const roll = (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 0x1_0000_0000) * sides)
  }
  const left = [...mutants]
  const taken: Mutant[] = []
  while (taken.length < count && left.length > 0) taken.push(...left.splice(roll(left.length), 1))
  return taken
}
