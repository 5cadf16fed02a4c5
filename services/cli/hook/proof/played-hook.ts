// One event at the hook that is installed, as its host would send it, and what the host would make
// of the answer.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { hooksIn } from '#core/hooks/hook-settings'
import { Fault } from '#core/kernel/fault'
import { parseJson } from '#core/kernel/json'
import { configuration } from '#runtime/wiring/config'
import type { HookHost } from '#schemas/hooks/tools'
import { beforeEvents, observesIn } from '../settings-place.ts'

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
    throw new Fault(
      'hook_missing',
      `\`${file}\` cannot be read: \`warrant hook install\` writes it`,
      {
        cause,
      },
    )
  }
}

/** Throws a Fault `hook_missing`. */
export function handlerIn(text: string, host: HookHost, file: string): Handler {
  const found = hooksIn(text, host).find(({ event }) => event === beforeEvents[host])
  const entry = Entry.safeParse(found?.entry)
  const { command, bash, url } = entry.data?.hooks?.[0] ?? entry.data ?? {}
  const line = command ?? (typeof bash === 'string' ? bash : undefined)
  const observes = observesIn(url ?? line ?? '')
  if (url !== undefined) return { by: 'http', url, observes }
  if (line !== undefined) return { by: 'command', command: line, observes }
  const fix = `\`warrant hook install --for ${host}\` adds it`
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

export async function effectOf(
  host: HookHost,
  handler: Handler,
  event: string,
): Promise<HookEffect> {
  if (handler.by === 'http') return overHttp(handler, event)
  const { code, stdout, stderr } = await processOf(handler.command, event, patienceFor(handler))
  if (code === 2 && host !== 'copilot') return 'deny'
  if (code !== 0) return open(host)
  const found = readAnswer(stdout, handler)
  return found === 'nothing' && stderr.includes('not recorded') ? 'nothing, not recorded' : found
}

function open(host: HookHost): HookEffect {
  return host === 'cursor' || host === 'claude-code' ? 'deny' : 'runs, since the hook failed'
}

const Answer = z.looseObject({
  permission: z.string().optional(),
  decision: z.string().optional(),
  permissionDecision: z.string().optional(),
  hookSpecificOutput: z.looseObject({ permissionDecision: z.string().optional() }).optional(),
})

/** What each host makes of what is printed; without a word of ours the call runs. */
function readAnswer(stdout: string, { observes }: Pick<Handler, 'observes'>): HookEffect {
  const silent = observes ? 'nothing' : 'allow'
  if (stdout.trim() === '') return silent
  let value: unknown
  try {
    value = parseJson(stdout)
  } catch {
    return 'runs, since the hook failed'
  }
  const answer = Answer.safeParse(value)
  const { permission, decision, permissionDecision, hookSpecificOutput } = answer.data ?? {}
  const word =
    permission ?? decision ?? permissionDecision ?? hookSpecificOutput?.permissionDecision
  if (word === undefined) return silent
  return word === 'deny' || word === 'ask' ? word : 'allow'
}

async function overHttp(
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
    if (response.ok) return readAnswer(await response.text(), handler)
    return observes ? 'nothing, not recorded' : 'deny'
  } catch {
    // With `onFailure` it blocks; a version without it lets the call run.
    return observes ? 'nothing, not recorded' : 'deny'
  }
}

function patienceFor({ observes }: Handler): number {
  return observes ? patienceMs.observing : patienceMs.enforcing
}

function processOf(
  command: string,
  event: string,
  waitMs: number,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: 'pipe' })
    const timer = setTimeout(() => child.kill('SIGKILL'), waitMs)
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
    // A hook that ends early reads no more.
    child.stdin.on('error', () => undefined)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stdout, stderr })
    })
    child.stdin.end(event)
  })
}
