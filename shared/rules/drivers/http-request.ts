// One HTTP request, from the catalog and the arguments of a call. Scheme, host and port are the
// catalog's; an argument fills a part of the path, the query, a header or the body, and no more.
import type { Driver } from '#schemas/action/driver'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { readTemplate } from './call-template.ts'
import {
  filledText,
  headerPart,
  pathPart,
  percentEncoded,
  secretlessText,
  queryPart,
  shownText,
  unnamedArguments,
  type FilledText,
} from './filling.ts'
import { ToolFailure } from './tool-failure.ts'

type HttpDriver = Extract<Driver, { kind: 'http' }>

export interface HttpRequest {
  readonly method: HttpDriver['method']
  readonly url: string
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, FilledText>
  readonly body: string | null
}

/** Those that say how a message is framed or where it goes are not for a catalog to write. */
const reserved: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Scheme and host stand in the catalog, whole. */
const written = /^https?:\/\/[^/?#$\\@]+(?:[/?]|$)/i

const bodyless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE'])

/** Throws a `ToolFailure` where the arguments do not fit. */
export function httpRequest(driver: HttpDriver, args: JsonObject): HttpRequest {
  const { method, query = [] } = driver
  const templates = [driver.url, ...Object.values(driver.headers ?? {})]
  const left = unnamedArguments(args, templates)
  const rest = left.filter((name) => !query.includes(name))
  const kind = driver.body ?? (bodyless.has(method) ? null : 'json')
  const [unused] = rest
  if (kind === null && unused !== undefined) {
    throw new ToolFailure('argument_unused', 'no', { argument: unused })
  }
  const sent = Object.fromEntries(rest.map((name) => [name, args[name] ?? null]))
  const pairs = query.flatMap((name) =>
    Object.hasOwn(args, name) ? pairsOf(name, args[name]) : [],
  )
  const headers = headersOf(driver, args)
  const type = contentTypes[kind ?? 'none']
  if (type !== null && !headers.has('content-type')) headers.set('content-type', [type])
  return { method, url: urlOf(driver.url, args, pairs), headers, body: bodyOf(kind, sent) }
}

const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  none: null,
} as const

function bodyOf(kind: HttpDriver['body'] | null, sent: JsonObject): string | null {
  if (kind === 'json') return JSON.stringify(sent)
  if (kind !== 'form') return null
  return Object.entries(sent)
    .flatMap(([name, value]) => pairsOf(name, value))
    .join('&')
}

/** A list repeats the name. */
function pairsOf(name: string, value: JsonValue | undefined): readonly string[] {
  const values = Array.isArray(value) ? value : [value ?? null]
  return values.map((each) => `${percentEncoded(name)}=${queryPart(each, `/${name}`)}`)
}

function urlOf(template: string, args: JsonObject, pairs: readonly string[]): string {
  const { parts } = readTemplate(template)
  if (!written.test(template)) throw new ToolFailure('driver_invalid', 'no')
  let url = ''
  for (const part of parts ?? []) {
    if (part.kind === 'text') url += part.text
    else if (part.kind === 'argument') {
      const encode = url.includes('?') ? queryPart : pathPart
      url += secretlessText(filledText(`\${args:${part.pointer}}`, args, encode))
    } else throw new ToolFailure('driver_invalid', 'no')
  }
  // What follows a `#` is not sent.
  if (parts === undefined || url.includes('#') || hasSteps(url)) {
    throw new ToolFailure('driver_invalid', 'no')
  }
  if (pairs.length === 0) return url
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`
}

/** Whether parts that were filled in have become a step upwards together. */
function hasSteps(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  return path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
}

function headersOf(driver: HttpDriver, args: JsonObject): Map<string, FilledText> {
  const headers = new Map<string, FilledText>()
  for (const [name, template] of Object.entries(driver.headers ?? {})) {
    const key = name.toLowerCase()
    if (reserved.has(key) || headers.has(key)) throw new ToolFailure('driver_invalid', 'no')
    headers.set(key, filledText(template, args, headerPart))
  }
  return headers
}

/** What a person may see of it. */
export function describedRequest({ method, url, headers, body }: HttpRequest): JsonValue {
  const shown = [...headers].map(([name, text]) => [name, shownText(text)] as const)
  return { method, url, headers: Object.fromEntries(shown), ...(body === null ? {} : { body }) }
}
