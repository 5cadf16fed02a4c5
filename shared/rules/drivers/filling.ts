// Fills arguments into the texts of the catalog. Each is scanned once, so what an argument holds is
// never read as a template; a value that would become more than a value is refused. Secrets stay
// references here.
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { membersOf, tokensOf } from '#knowledge/known/pointer'
import { pointersIn, readTemplate } from './call-template.ts'
import { ToolFailure } from './tool-failure.ts'
import { pointerToken } from '#record/pointer-token'

export interface SecretRef {
  readonly secret: string
}

/** A filled text, in which secrets are still names. */
export type FilledText = readonly (string | SecretRef)[]

/** Makes text of a value, or refuses it. */
export type Encoding = (value: JsonValue, pointer: string) => string

/** Throws a `ToolFailure` for an argument that is absent or that the encoding refuses. */
export function filledText(template: string, args: JsonObject, encode: Encoding): FilledText {
  const { parts } = readTemplate(template)
  if (parts === undefined) throw new ToolFailure('driver_invalid', 'no')
  return parts.map((part) => {
    if (part.kind === 'text') return part.text
    if (part.kind === 'secret') return { secret: part.name }
    const value = argumentAt(args, part.pointer)
    if (value === undefined) {
      throw new ToolFailure('argument_missing', 'no', { argument: part.pointer })
    }
    return encode(value, part.pointer)
  })
}

/** As a person may see it: secrets by reference. */
export function shownText(text: FilledText): string {
  return text
    .map((part) => (typeof part === 'string' ? part : `\${secret:${part.secret}}`))
    .join('')
}

/** Of a place where no secret may stand. */
export function secretlessText(text: FilledText): string {
  return text
    .map((part) => {
      if (typeof part !== 'string') throw new ToolFailure('driver_invalid', 'no')
      return part
    })
    .join('')
}

function argumentAt(args: JsonObject, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = args
  for (const token of tokensOf(pointer)) value = memberOf(value, token)
  return value
}

function memberOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value))
    return /^(?:0|[1-9][0-9]{0,8})$/.test(token) ? value[Number(token)] : undefined
  return Object.hasOwn(value, token) ? value[token] : undefined
}

/** The names of the arguments of which something is left that no template names. */
export function unnamedArguments(
  args: JsonObject,
  templates: readonly string[],
): readonly string[] {
  const named = new Set(pointersIn(templates))
  return Object.entries(args).flatMap(([name, value]) => {
    return isNamed(value, `/${pointerToken(name)}`, named) ? [] : [name]
  })
}

function isNamed(value: unknown, pointer: string, named: ReadonlySet<string>): boolean {
  if (named.has(pointer)) return true
  const members = membersOf(value)
  return (
    members.length > 0 &&
    members.every(([token, member]) => {
      return isNamed(member, `${pointer}/${pointerToken(token)}`, named)
    })
  )
}

const unsafe = (pointer: string): ToolFailure => {
  return new ToolFailure('argument_unsafe', 'no', { argument: pointer })
}

function scalarText(value: JsonValue, pointer: string): string {
  if (typeof value === 'object') throw unsafe(pointer)
  const text = String(value)
  if (!text.isWellFormed()) throw unsafe(pointer)
  return text
}

/** A part of a path: never a step upwards, a further segment that is one, or nothing. */
export const pathPart: Encoding = (value, pointer) => {
  const text = scalarText(value, pointer)
  const steps = text.split(/[/\\]/)
  const isStep = steps.some((step) => step === '.' || step === '..' || step === '')
  if (isStep || /\p{Cc}/u.test(text)) throw unsafe(pointer)
  return percentEncoded(text)
}

export const queryPart: Encoding = (value, pointer) => percentEncoded(scalarText(value, pointer))

/** What `encodeURIComponent` leaves and RFC 3986 reserves is encoded too. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
}

/** A part of a header: no line break, and nothing that two readers decode differently. */
export const headerPart: Encoding = (value, pointer) => {
  const text = scalarText(value, pointer)
  if (!/^[\x20-\x7e]*$/.test(text)) throw unsafe(pointer)
  return text
}

/** A part of an argument of a program, or of a variable of its environment. */
export const wordPart: Encoding = (value, pointer) => {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
  if (text.includes('\0') || !text.isWellFormed()) throw unsafe(pointer)
  return text
}
