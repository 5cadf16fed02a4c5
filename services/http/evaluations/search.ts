// AuthZEN 1.0: searches for subjects, resources and actions. Each page is one intent of the caller,
// whose verdict has what was found. It parses and renders.
import type { Context, Hono } from 'hono'
import { canonical, jsonOf } from '#record/canonical'
import { digestOf } from '#record/digest'
import { reasonText } from '#present/reason-text'
import { requestInvalid } from '#serving/problem'
import type { Verdict } from '#replay/verdicts/verdict'
import {
  ActionSearchBody,
  ResourceSearchBody,
  SubjectSearchBody,
  type SearchAnswer,
  type SearchContext,
  type SearchPage,
} from '#schemas/http/searches'
import { searchedMax, type Search } from '#schemas/intent'
import type { Door } from '../door.ts'
import { agentOfCaller } from '../intents.ts'
import { addRoute } from '../routed.ts'
import { jsonBody } from './authzen.ts'
import { canBeId, toolOf, type Evaluating, type Evaluation } from './evaluating.ts'

/** A search looks at up to 200, so it counts as that many requests. */
const charged = 10

interface Searching {
  readonly of: Pick<Search, 'for' | 'type'>
  readonly tool: string | null
  readonly args: Evaluation['args']
  readonly context?: SearchContext | undefined
  /** Absent where it is what is searched for. */
  readonly subject?: { readonly type: string; readonly id: string }
  readonly page: SearchPage | undefined
}

export function addSearches(app: Hono, door: Door, evaluating: Evaluating): void {
  const answer = async (c: Context, read: () => Promise<Searching>): Promise<Response> => {
    const { caller, agent } = await agentOfCaller(door, c)
    const searching = await read()
    door.charge(caller, charged - 1)
    const asked = evaluationOf(searching)
    if (asked === null) return c.json(nothing([unnamed]))
    return c.json(answerOf(searching, await evaluating(agent, asked)))
  }
  addRoute(app, 'searchSubject', (c) => {
    return answer(c, async () => {
      const { page, ...args } = await jsonBody(c, SubjectSearchBody)
      const of = { for: 'subjects', type: args.subject.type } as const
      return {
        of,
        tool: toolOf(args.resource.type, args.action.name),
        args,
        context: args.context,
        page,
      }
    })
  })
  addRoute(app, 'searchResource', (c) => {
    return answer(c, async () => {
      const { page, ...args } = await jsonBody(c, ResourceSearchBody)
      const { subject, action, resource } = args
      const of = { for: 'resources', type: resource.type } as const
      return {
        of,
        tool: toolOf(resource.type, action.name),
        args,
        subject,
        context: args.context,
        page,
      }
    })
  })
  addRoute(app, 'searchAction', (c) => {
    return answer(c, async () => {
      const { page, ...args } = await jsonBody(c, ActionSearchBody)
      const { subject, resource } = args
      const of = { for: 'actions', type: resource.type } as const
      return { of, tool: toolOf(resource.type, '*'), args, subject, context: args.context, page }
    })
  })
}

type Said = NonNullable<SearchAnswer['context']['reasons']>[number]

const unnamed: Said = {
  code: 'request_invalid',
  text: 'no tool and no principal can be named so',
}

/** What is asked of the stages; null where nothing in the catalog can be called that. */
function evaluationOf(searching: Searching): Evaluation | null {
  const { of, tool, args, subject } = searching
  const { from, limit } = pageOf(searching)
  const names = [of.type, ...(subject === undefined ? [] : [subject.type, subject.id])]
  if (tool === null || !names.every(canBeId)) return null
  const reason = searching.context?.['justification']
  return {
    tool,
    args,
    search: { ...of, ...(from > 0 && { from }), limit },
    ...(subject !== undefined && { subject: { type: subject.type, id: subject.id } }),
    ...(typeof reason === 'string' && { justification: reason }),
  }
}

interface Place {
  readonly from: number
  readonly limit: number
}

// Page after page is of one question: a token counts for what it was given for.
function pageOf({ of, args, page = {} }: Searching): Place {
  const { token, limit = searchedMax } = page
  const asked = Math.min(limit, searchedMax)
  if (token === undefined) return { from: 0, limit: asked }
  const place = placeIn(token, questionOf({ of, args }))
  if (place === null || (page.limit !== undefined && asked !== place.limit)) {
    throw requestInvalid(400, '`page/token` is of another search: begin again without it')
  }
  return place
}

function questionOf({ of, args }: Pick<Searching, 'of' | 'args'>): string {
  return digestOf(canonical(jsonOf({ of, args }))).slice(-32)
}

function tokenOf({ from, limit }: Place, question: string): string {
  return Buffer.from(`${from}.${limit}.${question}`, 'utf8').toString('base64url')
}

const placePattern = /^(\d{1,8})\.(\d{1,3})\.([0-9a-f]{32})$/

function placeIn(token: string, question: string): Place | null {
  const text = Buffer.from(token, 'base64url').toString('utf8')
  const [, from = '', limit = '', of = ''] = placePattern.exec(text) ?? []
  const place = { from: Number(from), limit: Number(limit) }
  return of === question && tokenOf(place, question) === token ? place : null
}

function answerOf(searching: Searching, verdict: Verdict): SearchAnswer {
  const { name: id, intent, found, notRun, reasons } = verdict
  if (found === undefined) {
    return nothing(
      reasons.map((one) => ({ ...one, text: reasonText(one) })),
      { id, intent },
    )
  }
  const { ids, searched, next } = found
  const { limit, from } = pageOf(searching)
  const { of } = searching
  const said: Said[] = [
    ...(searched === 0 && next === undefined && from === 0 ? [noneOf(of)] : []),
    ...(notRun === undefined ? [] : [left]),
  ]
  const token = next === undefined ? '' : tokenOf({ from: next, limit }, questionOf(searching))
  return {
    page: { next_token: token, count: ids.length },
    context: { id, intent, ...(said.length > 0 && { reasons: said }) },
    results: ids.map((one) => {
      return of.for === 'actions' ? { name: one } : { type: of.type, id: one }
    }),
  }
}

const left: Said = {
  code: 'checks_not_run',
  text: 'checks of policies are not run for a search: what needs one is not found',
}

function noneOf({ for: of, type }: Searching['of']): Said {
  const texts = {
    subjects: `the caller may ask about no subject of the type \`${type}\``,
    resources: `the catalog lists no resource of the type \`${type}\``,
    actions: `the catalog has no tool that is named \`${type}.<action>\``,
  }
  return { code: 'nothing_to_search', text: texts[of] }
}

function nothing(
  reasons: SearchAnswer['context']['reasons'],
  by: Pick<SearchAnswer['context'], 'id' | 'intent'> = {},
): SearchAnswer {
  return { page: { next_token: '', count: 0 }, context: { ...by, reasons }, results: [] }
}
