// The OpenAPI 3.1 document of the HTTP server, from the table of its routes.
import { z } from 'zod'
import * as own from './bodies.ts'
import * as evaluations from './evaluations.ts'
import * as opa from './opa.ts'
import { requestParameters } from './parameters.ts'
import { GroundingData, VerdictData } from '../facts.ts'
import { DecisionData, ReviewData } from '../review.ts'
import * as searches from './searches.ts'
import * as work from './work-bodies.ts'
import { inputFields } from '../operations/fields.ts'
import { allOperations, operations } from '../operations/table.ts'
import type { AnswerEntry, RouteEntry } from './route.ts'
import { allRoutes, routes } from './routes.ts'

const answered = allOperations.map((name) => {
  return [
    `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Answer`,
    operations[name].output,
  ] as const
})

/** What has a name in the document. */
const bodies: Readonly<Record<string, z.ZodType>> = {
  ...own,
  ...evaluations,
  ...searches,
  ...opa,
  ...work,
  ...Object.fromEntries(answered),
}

const description = [
  'Ask before a tool runs. What is asked is an intent; its verdict is one fact in the log.',
  'An answer 202 is no verdict: nothing may run. Errors are problems as RFC 9457 has them,',
  'with `code` for programs and `retry` for whether the same may succeed later.',
].join(' ')

/** The statuses that any route with a caller may answer. */
const problemsOfAll = [401, 403, 429, 500, 503]

const problemTitles: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  401: 'No credential that counts',
  403: 'Not for this caller, or not any more',
  404: 'The caller has no such thing',
  409: 'It was done before, or cannot be done yet',
  410: 'It has ended, or was forgotten',
  422: 'It can be read, and is not possible',
  429: 'Too many requests: see `Retry-After`',
  500: 'The server is at fault',
  503: 'Try again: see `Retry-After`',
}

/** The document; `version` is that of the words. */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const name of allRoutes) {
    const route = routes[name]
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Warrant',
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { session: [] }],
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of `warrant tokens create`, or of the issuer',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-warrant-session',
          description: 'Of a person who signed in; writes take `x-csrf-token` beside it',
        },
      },
    },
  }
}

function operationOf(name: string, route: RouteEntry): object {
  const { title, body, isOpen, isBodyOptional, reads = [], asks, answers, problems = [] } = route
  const statuses = isOpen === true ? problems : [...new Set([...problems, ...problemsOfAll])]
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, one = '']) => ({
    name: one,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = (asks === undefined ? [] : inputFields(asks)).flatMap((field) => {
    if (field.isInPath) return []
    return [{ name: field.name, in: 'query', description: field.says, schema: field.schema }]
  })
  const read = reads.map((one) => {
    const { in: place, title: says, schema } = requestParameters[one]
    return { name: one, in: place, description: says, schema }
  })
  const parameters = [...inPath, ...inQuery, ...read]
  return {
    operationId: name,
    summary: title,
    ...(isOpen === true && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: isBodyOptional !== true, content: jsonOf(body) },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)] as const),
      ),
      ...Object.fromEntries(statuses.map((status) => [status, problemOf(status)] as const)),
    },
  }
}

function answerOf({ title, body, type }: AnswerEntry): object {
  if (type !== undefined) return { description: title, content: { [type]: {} } }
  return { description: title, ...(body !== null && { content: jsonOf(body) }) }
}

function problemOf(status: number): object {
  const schema = { $ref: componentRef('ProblemAnswer') }
  const content = { 'application/problem+json': { schema } }
  return { description: problemTitles[status] ?? 'It is refused', content }
}

function jsonOf(schema: z.ZodType): object {
  const named = Object.entries(bodies).find(([, one]) => one === schema)
  const name = named?.[0] ?? ''
  return { 'application/json': { schema: { $ref: componentRef(name) } } }
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

/** What facts say, which several answers have as a part: written once, and referred to. */
const factData = { DecisionData, GroundingData, ReviewData, VerdictData }

function componentSchemas(): Record<string, object> {
  return Object.fromEntries(
    // Who loads the module decides in which order its names come.
    Object.entries({ ...bodies, ...factData })
      .toSorted(byName)
      .map(([name, schema]) => {
        const {
          $schema: _,
          $defs: __,
          ...rest
        } = z.toJSONSchema(schema, {
          target: 'draft-2020-12',
          io: 'input',
          unrepresentable: 'any',
          reused: 'inline',
          override: ({ zodSchema, jsonSchema }) => {
            // Every key is a text, so this adds nothing.
            delete jsonSchema.propertyNames
            const part = factNameOf(zodSchema)
            if (part === null || part === name) return
            const { description: says } = jsonSchema
            for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key)
            jsonSchema.$ref = componentRef(part)
            if (says !== undefined) jsonSchema.description = says
          },
        })
        return [name, z.record(z.string(), z.unknown()).parse(anyAsAny(rest))]
      }),
  )
}

/** What is described is a schema of its own, made of the other. */
function factNameOf(schema: z.core.$ZodType): string | null {
  const same = [schema, schema._zod.parent]
  return Object.entries(factData).find(([, data]) => same.includes(data))?.[0] ?? null
}

function componentRef(name: string): string {
  return `#/components/schemas/${name}`
}

/** What refers to itself is any JSON: a schema of it alone would say no more. */
function anyAsAny(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(anyAsAny)
  if (typeof schema !== 'object' || schema === null) return schema
  if ('$ref' in schema && String(schema.$ref).startsWith('#/$defs/')) return {}
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, anyAsAny(value)]))
}
