// All calls of one tool by one agent, as points of a space: each place of a call that is asked
// about takes each value that stands for others, and what no call shows by itself is taken for
// true, for false and for failed.
import type { Atom, AtomTest, ConditionParts } from '#conditions/atoms'
import type { ConditionInput } from '#conditions/input'
import { typeOfArguments } from '#conditions/types'
import { completedArguments } from '#rules/catalog/arguments'
import { jsonOf, type JsonMap } from '#record/canonical'
import { isJsonObject } from '#record/json-object'
import { rulesBuiltIn } from '#rules/catalog/catalog'
import { hasRules } from '#rules/catalog/rules-version'
import type { Capability, JsonObject, JsonValue } from '#schemas/catalog'
import type { Cardinality } from '#schemas/graph'
import { domainOf, type PlaceAsked, type Chosen } from './domain.ts'
import type { Guard, RuleSide } from './guards.ts'
import { listIn, sampleOf, placeSchema, takes, typeIn } from './samples.ts'

/** A request, as far as it can matter. */
export interface TriedRequest {
  readonly tool: string
  readonly args: JsonObject
  readonly justification?: string
  readonly goal?: string
  readonly cardinality?: Cardinality
  readonly scope?: JsonObject
}

export interface CallPoint {
  readonly request: TriedRequest
  /** What was chosen at each place of the arguments. */
  readonly chosen: ReadonlyMap<string, Chosen>
  /** Of what no call shows by itself. */
  readonly assumed: ReadonlyMap<string, boolean | null>
}

interface Whole {
  readonly name: string
  /** Whether what is not among the values is like one of them. */
  readonly isWhole: boolean
}

/** A place of the arguments. */
interface PlaceAxis extends Whole {
  readonly path: readonly string[]
  readonly values: readonly (Chosen | typeof kept)[]
}

/** What else a request says, or what is taken for true, false or failed. */
interface WordAxis extends Whole {
  readonly path?: undefined
  readonly values: readonly unknown[]
}

type Axis = PlaceAxis | WordAxis

/** Of what is above a place: it stays as it was made. */
const kept = Symbol('kept')

export interface Space {
  readonly size: number
  /** What of it could be otherwise than any of its points. */
  readonly open: readonly string[]
  /** Of so many at most, spread over all. */
  points(max: number): Iterable<CallPoint>
}

/** `guards`: those that are looked into; the others are taken for unknown. */
export function spaceOf(
  sides: readonly RuleSide[],
  guards: readonly Guard[],
  extra: readonly ConditionParts[],
): Space | null {
  const capabilities = sides.flatMap(({ capability }) => (capability ? [capability] : []))
  const last = capabilities.at(-1)
  if (last === undefined) return null
  const parts = [...guards.flatMap(guardParts), ...extra]
  const decided = decidedTests(parts, sides)
  const places = placesOf(decided.tests, capabilities)
  const words = wordAxes(decided.tests, sides, capabilities)
  const opaque = decided.undecided.map(({ key }) => ({ name: key, values: [true, false, null] }))
  const axes: readonly Axis[] = [
    ...places.axes,
    ...words,
    ...opaque.map((one) => ({ ...one, isWhole: true })),
  ]
  const start = startOf(last, axes)
  const open = [
    ...places.open,
    ...start.open,
    ...axes.filter(({ isWhole }) => !isWhole).map(({ name }) => name),
  ]
  const undecided = new Set(decided.undecided.map(({ key }) => key))
  return {
    size: axes.reduce((all, { values }) => all * values.length, 1),
    open: [...new Set(open)],
    *points(max) {
      const base = { tool: last.id, args: start.args, axes, undecided }
      for (const choice of choices(axes, max)) yield pointOf(base, choice)
    },
  }
}

export function guardParts(guard: Guard): readonly ConditionParts[] {
  if (guard.kind === 'open' || guard.parts === null) return []
  return [guard.parts]
}

interface PlacedTest {
  readonly path: readonly string[]
  readonly asked: PlaceAsked
}

/** What is asked of a place by a comparison with what is known, and what is asked otherwise. */
function decidedTests(
  parts: readonly ConditionParts[],
  sides: readonly RuleSide[],
): { readonly tests: readonly PlacedTest[]; readonly undecided: readonly Atom[] } {
  const atoms = new Map(parts.flatMap((one) => one.atoms).map((atom) => [atom.key, atom]))
  const tests: PlacedTest[] = []
  const undecided: Atom[] = []
  for (const atom of atoms.values()) {
    const asked = sides.map((side) => askedBy(atom.test, side))
    if (atom.test === null || asked.includes(null)) undecided.push(atom)
    else tests.push(...asked.flatMap((one) => (one === null ? [] : [one])))
  }
  return { tests, undecided }
}

function askedBy(test: AtomTest | null, side: RuleSide): PlacedTest | null {
  if (test === null || test.path.length < 2) return null
  const { path, form, where } = test
  if (path[0] === 'intent' && (path.length > 2 || !isOwnWord(path[1]))) return null
  const constants = test.constants(inputOf(side, { tool: '', args: {} }))
  if (constants === null) return null
  if (form === 'order' && constants.some((one) => typeof one === 'string')) return null
  if (form === 'order' && constants.some((one) => typeof one === 'boolean')) return null
  return { path, asked: { form, constants, ...(where !== undefined && { where }) } }
}

function isOwnWord(name: string | undefined): boolean {
  return name === 'goal' || name === 'justification'
}

function nameOf(path: readonly string[]): string {
  return path.join('.')
}

/** The places of the arguments that are asked about, or that the schemas part by. */
function placesOf(
  tests: readonly PlacedTest[],
  capabilities: readonly Capability[],
): { readonly axes: readonly PlaceAxis[]; readonly open: readonly string[] } {
  const schemas = capabilities.map(({ argsSchema }) => argsSchema)
  const differing = differingPlaces(schemas)
  const paths = new Map<string, readonly string[]>()
  for (const { path } of tests) if (path[0] === 'args') paths.set(nameOf(path), path)
  for (const name of differing.names) paths.set(`args.${name}`, ['args', name])
  const whole = unsafePlace(schemas)
  if (whole !== null) paths.set(`args.${whole}`, ['args', whole])
  const axes = [...paths].map(([name, path]): PlaceAxis => {
    const asked = tests.filter((one) => nameOf(one.path) === name).map((one) => one.asked)
    const own = schemas.map((schema) => placeSchema(schema, path.slice(1)))
    const { values, isWhole } = domainOf(asked, own)
    const isTied = [...paths.values()].some((one) => isBelow(one, path))
    return { name, path, values, isWhole: isWhole && !isTied && isReached(path, schemas) }
  })
  // Last: what is taken away goes with all that was put into it.
  const above = [...paths.values()].flatMap((path) => {
    return path.slice(2).map((_, index) => path.slice(0, index + 2))
  })
  const parents = new Map(above.map((path) => [nameOf(path), path]))
  for (const name of paths.keys()) parents.delete(name)
  return { axes: [...axes, ...[...parents].map(parentAxis)], open: differing.open }
}

function parentAxis([name, path]: readonly [string, readonly string[]]): PlaceAxis {
  return { name: `${name} is there`, path, values: [kept, undefined], isWhole: true }
}

function isBelow(path: readonly string[], other: readonly string[]): boolean {
  return path.length > other.length && other.every((name, index) => path[index] === name)
}

/** The arguments without what is chosen, and those of their members of which no value is known. */
function startOf(
  { argsSchema }: Capability,
  axes: readonly Axis[],
): { readonly args: JsonObject; readonly open: readonly string[] } {
  const base = sampleOf({ type: 'object', ...argsSchema })
  let args = isJsonObject(base) ? base : {}
  for (const { path = [], values } of axes) {
    if (!values.includes(kept)) continue
    const sample = sampleOf(placeSchema(argsSchema, path.slice(1)))
    args = withAt(args, path.slice(1), isJsonObject(sample) ? sample : {})
  }
  const chosen = new Set(axes.flatMap(({ path = [] }) => (path.length === 2 ? [path[1]] : [])))
  const unread = Object.entries(args).filter(([name, value]) => {
    return !chosen.has(name) && !takes(placeSchema(argsSchema, [name]), value)
  })
  return { args, open: unread.map(([name]) => `args.${name}`) }
}

/** Whether all above it are objects that the schemas describe. */
function isReached(path: readonly string[], schemas: readonly JsonObject[]): boolean {
  return schemas.every((schema) => {
    return path.slice(2).every((_, index) => {
      const above = placeSchema(schema, path.slice(1, index + 2))
      return isJsonObject(above) && typeIn(above) === 'object' && !Array.isArray(above['type'])
    })
  })
}

const plainTop: ReadonlySet<string> = new Set([
  '$schema',
  'additionalProperties',
  'description',
  'properties',
  'required',
  'title',
  'type',
])

/** The members of the arguments by which two schemas part, and what more they part by. */
function differingPlaces(schemas: readonly JsonObject[]): {
  readonly names: readonly string[]
  readonly open: readonly string[]
} {
  const [one = {}, other = one] = schemas
  const crossing = schemas.some((schema) => Object.keys(schema).some((key) => !plainTop.has(key)))
  const open = crossing ? ['args'] : []
  if (JSON.stringify(one) === JSON.stringify(other)) return { names: [], open }
  const [before, after] = [membersIn(one), membersIn(other)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => {
    if (!Object.hasOwn(before, name) || !Object.hasOwn(after, name)) return true
    if (isNeeded(one, name) !== isNeeded(other, name)) return true
    return JSON.stringify(before[name]) !== JSON.stringify(after[name])
  })
  const rest = [one, other].map((schema) => JSON.stringify(schema['additionalProperties'] ?? true))
  const isSame = rest[0] === rest[1]
  return { names: isSame ? names : [...names, 'other'], open }
}

function membersIn({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {}
}

function isNeeded(schema: JsonObject, name: string): boolean {
  return listIn(schema, 'required').includes(name)
}

/** A whole number anywhere in the arguments may be too large, and then each condition fails. */
function unsafePlace(schemas: readonly JsonObject[]): string | null {
  const names = schemas.flatMap((schema) => {
    return Object.entries(membersIn(schema)).flatMap(([name, one]) => {
      return isJsonObject(one) && typeIn(one) === 'integer' ? [name] : []
    })
  })
  return names[0] ?? null
}

function reasonOf(length: number): string {
  return 'because-it-was-asked-'.repeat(Math.ceil(length / 20)).slice(0, length)
}

const memorySensitive: JsonObject = { memory_scope: 'sensitive' }

/** What the agent says beside the arguments. */
function wordAxes(
  tests: readonly PlacedTest[],
  sides: readonly RuleSide[],
  capabilities: readonly Capability[],
): readonly WordAxis[] {
  const characters = sides.map(({ catalog }) => rulesBuiltIn(catalog).justificationCharacters)
  const sized = { form: 'size' as const, constants: characters }
  const of = (name: string): readonly PlaceAsked[] => {
    return tests.filter(({ path }) => nameOf(path) === `intent.${name}`).map((one) => one.asked)
  }
  const read = of('justification')
  const justification = domainOf([sized, ...read], [{ type: 'string' }])
  const isBySize = read.every(({ form }) => form === 'size' || form === 'presence')
  // Of which only the length is asked: it is read by people, too.
  const reasons = justification.values.map((one) => {
    return isBySize && typeof one === 'string' ? reasonOf(one.length) : one
  })
  const goal = of('goal')
  const isOpen = capabilities.some(({ cardinality }) => cardinality === undefined)
  const hasPolicies = sides.some((side) => (side.ground?.policies ?? []).length > 0)
  const isMemory = capabilities.some(({ sensitivity }) => sensitivity === 'MEMORY')
  return [
    // Long first: what is shown has a reason.
    { name: 'justification', isWhole: justification.isWhole, values: reasons.toReversed() },
    ...(goal.length === 0 ? [] : [{ name: 'goal', ...domainOf(goal, [{ type: 'string' }]) }]),
    ...(isOpen && hasPolicies
      ? [{ name: 'cardinality', values: [undefined, 'single', 'multiple'], isWhole: true }]
      : []),
    ...(isMemory ? [{ name: 'scope', values: [undefined, memorySensitive], isWhole: true }] : []),
  ]
}

/** Each choice of one value on each axis, by index; of too many so many, spread over all. */
function* choices(axes: readonly Axis[], max: number): Iterable<readonly number[]> {
  const size = axes.reduce((all, { values }) => all * values.length, 1)
  const stride = Math.max(1, size / max)
  for (let at = 0; at < size; at += stride) {
    let rest = Math.floor(at)
    // The first axis turns fastest.
    yield axes.map(({ values: { length } }) => {
      const index = rest % length
      rest = Math.floor(rest / length)
      return index
    })
  }
}

interface Base {
  readonly tool: string
  readonly args: JsonObject
  readonly axes: readonly Axis[]
  readonly undecided: ReadonlySet<string>
}

function pointOf(
  { tool, args: start, axes, undecided }: Base,
  choice: readonly number[],
): CallPoint {
  const chosen = new Map<string, Chosen>()
  const assumed = new Map<string, boolean | null>()
  const said = new Map<string, unknown>()
  let args = start
  for (const [index, axis] of axes.entries()) {
    const at = choice[index] ?? 0
    if (axis.path === undefined) {
      const value = axis.values[at]
      if (undecided.has(axis.name))
        assumed.set(axis.name, typeof value === 'boolean' ? value : null)
      else said.set(axis.name, value)
      continue
    }
    const value = axis.values[at]
    if (value === kept) continue
    chosen.set(axis.name, value)
    args = withAt(args, axis.path.slice(1), value)
  }
  return { request: { tool, args, ...wordsIn(said) }, chosen, assumed }
}

function wordsIn(said: ReadonlyMap<string, unknown>): Partial<TriedRequest> {
  const text = (name: string) => {
    const value = said.get(name)
    return typeof value === 'string' ? { [name]: value } : {}
  }
  const cardinality = said.get('cardinality')
  const isOne = cardinality === 'single' || cardinality === 'multiple'
  const scope = said.get('scope') === undefined ? {} : { scope: memorySensitive }
  return { ...text('justification'), ...text('goal'), ...(isOne && { cardinality }), ...scope }
}

function withAt(args: JsonObject, path: readonly string[], value: Chosen): JsonObject {
  const [first, ...rest] = path
  if (first === undefined) return args
  const { [first]: before, ...others } = args
  if (rest.length > 0) {
    const within = isJsonObject(before) ? before : {}
    const made = withAt(within, rest, value)
    const isEmpty = value === undefined && before === undefined
    return isEmpty ? args : { ...others, [first]: made }
  }
  return value === undefined ? others : { ...others, [first]: value }
}

/** What conditions read of the request. */
export function inputOf(side: RuleSide, request: TriedRequest): ConditionInput {
  const { catalog, principal, owner, ground } = side
  const capability = side.capability ?? bare
  const { justification = '', goal = '', scope = {} } = request
  const args = completedArguments(capability, request.args)
  return {
    args: mapOf(args),
    argsType: typeOfArguments(capability.argsSchema),
    capability,
    principal: principal ?? null,
    owner: owner ?? null,
    intent: { goal, justification, session: '', scope: mapOf(scope), constraints: {} },
    grounding: { grounded: ground?.grounded ?? true, concepts: capability.concepts },
    now: 0,
    evidence: () => [],
    // What was done before decides beside the call, as evidence does.
    acts: [],
    lenient: !hasRules(catalog, 'strictConversions'),
  }
}

const bare = {
  id: '',
  safetyClass: 'READ',
  sensitivity: 'NONE',
  tags: [],
  concepts: [],
  argsSchema: {},
} as const

function mapOf(value: JsonValue): JsonMap {
  const json = jsonOf(value)
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? mapIn(json) : {}
}

function mapIn(json: object): JsonMap {
  return { ...json }
}
