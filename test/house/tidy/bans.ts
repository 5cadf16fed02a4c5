// What a decider, and all that it calls, must never reach for: it would not be the same again on
// replay. Each ban says what to do instead. And what one file alone reaches for: the environment.
import { isPure } from './packages.ts'
import { at, sourcesOf, visit, type Files, type Source } from './source.ts'

const timeComesIn = 'the time comes in: `appendedAt` of a fact, or the stamp'
const chanceComesIn = 'derive it from a digest, or let the worker bring it by a port'
const noLocale = 'compare code units: a locale differs between machines'
const noZone = 'use the UTC form: a time zone differs between machines'
const throughPort = 'gather it in the worker, through a port'

const globals: ReadonlyMap<string, string> = new Map([
  ['process', throughPort],
  ['fetch', throughPort],
  ['console', 'return it: anyone who called may write it'],
  ['setTimeout', 'a wait is a fact and a timer of the worker'],
  ['setInterval', 'a wait is a fact and a timer of the worker'],
  ['setImmediate', 'a wait is a fact and a timer of the worker'],
  ['queueMicrotask', 'a wait is a fact and a timer of the worker'],
  ['performance', timeComesIn],
  ['Intl', noLocale],
  ['globalThis', throughPort],
])

/** What only Node has, and where it may be. */
const ofNode = /^shared\/record\/platform\/[\w-]+-node\.ts$/
const portable = 'take `#platform/bytes`, since a browser has none'

const members: ReadonlyMap<string, string> = new Map([
  ['Date.now', timeComesIn],
  ['Math.random', chanceComesIn],
])

const properties: ReadonlyMap<string, string> = new Map([
  ['localeCompare', noLocale],
  ['toLocaleString', noLocale],
  ['toLocaleDateString', noLocale],
  ['toLocaleTimeString', noLocale],
  ['toLocaleLowerCase', noLocale],
  ['toLocaleUpperCase', noLocale],
  ['randomUUID', chanceComesIn],
  ['getRandomValues', chanceComesIn],
  ['getTimezoneOffset', noZone],
  ['getFullYear', noZone],
  ['getMonth', noZone],
  ['getDate', noZone],
  ['getDay', noZone],
  ['getHours', noZone],
  ['getMinutes', noZone],
])

/** Of `node:crypto`: what gives the same for the same. */
const sameForSame = [
  'hash',
  'createHash',
  'createPrivateKey',
  'createPublicKey',
  'sign',
  'verify',
  'KeyObject',
]

/** Every use of the outside world in what must be pure. */
export function pureStaysPure(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    return isPure(source.path) ? [...bannedUses(source), ...bannedImports(source)] : []
  })
}

function bannedUses(source: Source): readonly string[] {
  const found: string[] = []
  // Names of properties are identifiers to the parser, and are judged with what they belong to.
  const ofProperties = new Set<number>()
  const judge = (start: number, what: string, remedy: string | undefined): void => {
    if (remedy !== undefined) found.push(at(source, start, `uses ${what}: ${remedy}`))
  }
  visit(source, {
    MemberExpression({ object, property, computed, start }) {
      if (computed || property.type !== 'Identifier') return
      ofProperties.add(property.start)
      judge(start, property.name, properties.get(property.name))
      if (object.type !== 'Identifier') return
      const whole = `${object.name}.${property.name}`
      judge(start, whole, members.get(whole))
    },
    Property({ key, shorthand }) {
      if (!shorthand) ofProperties.add(key.start)
    },
    TSPropertySignature({ key }) {
      ofProperties.add(key.start)
    },
    TSMethodSignature({ key }) {
      ofProperties.add(key.start)
    },
    NewExpression({ callee, arguments: given, start }) {
      if (callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0) {
        judge(start, 'new Date()', timeComesIn)
      }
    },
    CallExpression({ callee, start }) {
      if (callee.type === 'Identifier' && callee.name === 'Date')
        judge(start, 'Date()', timeComesIn)
    },
    Identifier({ name, start }) {
      if (ofProperties.has(start)) return
      // What it waits for is not the outside.
      const isTurn = name === 'setImmediate' && ofNode.test(source.path)
      if (!isTurn) judge(start, name, globals.get(name))
      if (name === 'Buffer' && !ofNode.test(source.path)) judge(start, name, portable)
    },
  })
  return found
}

function bannedImports(source: Source): readonly string[] {
  return source.imports
    .filter(({ from }) => from === 'node:crypto')
    .flatMap(({ names, start }) =>
      names
        .filter((name) => !sameForSame.includes(name))
        .map((name) => at(source, start, `uses ${name} of node:crypto: ${chanceComesIn}`)),
    )
}

const product = /^(schemas|shared|services|seeds)\//
const reader = 'shared/wiring/environment.ts'

/** Every place that reads the environment of the process, but the one that does so for all. */
export function environmentIsReadOnce(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    if (!product.test(source.path) || source.path === reader) return []
    const found: string[] = []
    const judge = (start: number): void => {
      found.push(at(source, start, `reads the environment: take settings, or ask ${reader}`))
    }
    for (const { from, names, start } of source.imports) {
      if (/^(node:)?process$/.test(from) && names.includes('env')) judge(start)
    }
    visit(source, {
      MemberExpression({ object, property, start }) {
        if (object.type !== 'Identifier' || object.name !== 'process') return
        const name = property.type === 'Identifier' ? property.name : null
        const text = property.type === 'Literal' ? property.value : null
        if (name === 'env' || text === 'env') judge(start)
      },
      VariableDeclarator({ id, init, start }) {
        if (init?.type !== 'Identifier' || init.name !== 'process') return
        if (id.type !== 'ObjectPattern') return
        const named = id.properties.some((property) => {
          return (
            property.type === 'Property' &&
            property.key.type === 'Identifier' &&
            property.key.name === 'env'
          )
        })
        if (named) judge(start)
      },
    })
    return found
  })
}

const jsonReader = 'shared/record/json.ts'

/** What a coding agent starts is one file. */
const standsAlone = /^services\/hooks\/send\.ts$/

/** Every place that reads JSON with the engine's parser alone, which may misread a key. */
export function jsonIsReadOnce(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    if (!/^(shared|services)\//.test(source.path)) return []
    if (source.path === jsonReader || standsAlone.test(source.path)) return []
    const found: string[] = []
    visit(source, {
      MemberExpression({ object, property, start }) {
        if (object.type !== 'Identifier' || object.name !== 'JSON') return
        if (property.type !== 'Identifier' || property.name !== 'parse') return
        found.push(at(source, start, `reads JSON: take parseJson of ${jsonReader}`))
      },
    })
    return found
  })
}
