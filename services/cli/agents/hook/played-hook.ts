// One event at the hook that is installed, as its host would send it, and what the host would make
// of the answer.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { hooksIn } from '#shell/hooks/hook-settings'
import type { Host } from '#shell/hooks/hosts/host'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { isMap } from '#messages/envelope'
import { configuration } from '#wiring/config'
import { observesIn } from './settings-place.ts'
import { ended } from './stand-ins.ts'

/** The hook before tools, as the settings have it. */
export type Handler = { readonly observes: boolean } & (
  | { readonly by: 'command'; readonly command: string }
  | { readonly by: 'http'; readonly url: string }
)

const Entry = z.looseObject({
  command: z.string().optional(),
  bash: z.string().optional(),
  url: z.string().optional(),
  hooks: z
    .array(z.looseObject({ command: z.string().optional(), url: z.string().optional() }))
    .optional(),
})

export async function settingsText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const fix = '`warrant hook install` writes it'
    throw new Fault('hook_missing', `\`${file}\` cannot be read: ${fix}`, { cause })
  }
}

/** Throws a Fault `hook_missing`. */
export function handlerIn(text: string, host: Host, file: string): Handler {
  const found = hooksIn(text, host).find(({ event }) => event === host.before)
  const entry = Entry.safeParse(found?.entry)
  const { command, bash, url } = entry.data?.hooks?.[0] ?? entry.data ?? {}
  const line = command ?? (typeof bash === 'string' ? bash : undefined)
  const observes = observesIn(url ?? line ?? '')
  if (url !== undefined) return { by: 'http', url, observes }
  if (line !== undefined) return { by: 'command', command: line, observes }
  const fix = `\`warrant hook install --for ${host.name}\` adds it`
  throw new Fault('hook_missing', `\`${file}\` has no hook of ours before tools: ${fix}`)
}

/** The same hook, with that server in place of its own; null where it asks none. */
export function pointedAt(handler: Handler, url: string): Handler | null {
  const pattern = /https?:\/\/[^\s/'"]+/u
  const text = handler.by === 'http' ? handler.url : handler.command
  if (!pattern.test(text)) return null
  const now = text.replace(pattern, url)
  return handler.by === 'http' ? { ...handler, url: now } : { ...handler, command: now }
}

/** What the host would do. */
export type HookEffect =
  | 'allow'
  | 'ask'
  | 'deny'
  | 'nothing'
  | 'nothing, not recorded'
  | 'runs, since the hook failed'

/** As long as the host would wait. */
const patienceMs = { enforcing: 30_000, observing: 10_000 }

export async function effectOf(host: Host, handler: Handler, event: string): Promise<HookEffect> {
  if (handler.by === 'http') return overHttp(host, handler, event)
  const line = { program: handler.command, input: event, timeoutMs: patienceFor(handler) }
  const { code, stdout, stderr } = (await ended(line)) ?? { code: null, stdout: '', stderr: '' }
  if (code === 2 && host.answers.blocksBy !== 'json') return 'deny'
  if (code !== 0) return host.failing.closed ? 'deny' : 'runs, since the hook failed'
  const found = readAnswer(host, stdout, handler)
  return found === 'nothing' && stderr.includes('not recorded') ? 'nothing, not recorded' : found
}

/** What the host makes of what is printed; without a word of ours the call runs. */
function readAnswer(
  host: Host,
  stdout: string,
  { observes }: Pick<Handler, 'observes'>,
): HookEffect {
  const silent = observes ? 'nothing' : 'allow'
  if (stdout.trim() === '') return silent
  let word: unknown
  try {
    word = parseJson(stdout)
  } catch {
    return 'runs, since the hook failed'
  }
  for (const name of host.answers.wordAt) word = isMap(word) ? word[name] : undefined
  if (word === undefined) return silent
  return word === 'deny' || word === 'ask' ? word : 'allow'
}

async function overHttp(
  host: Host,
  handler: Extract<Handler, { by: 'http' }>,
  event: string,
): Promise<HookEffect> {
  const { url, observes } = handler
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${configuration().token ?? ''}`,
      },
      body: event,
      signal: AbortSignal.timeout(patienceFor(handler)),
    })
    if (response.ok) return readAnswer(host, await response.text(), handler)
    return observes ? 'nothing, not recorded' : 'deny'
  } catch {
    // With `onFailure` it blocks; a version without it lets the call run.
    return observes ? 'nothing, not recorded' : 'deny'
  }
}

function patienceFor({ observes }: Handler): number {
  return observes ? patienceMs.observing : patienceMs.enforcing
}
