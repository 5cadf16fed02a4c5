// Which intent a call of a coding agent was asked about under, so that the same call made again
// finds what people have decided meanwhile. What this process does not know of a session, it reads
// from the log, once.
import { digestOfJson } from '#record/digest'
import { jsonOf } from '#record/canonical'
import type { Runtime } from '#runtime/engine/runtime'
import { askedBefore, firstFolder } from './door-agent.ts'

export interface HookedCall {
  readonly principal: string
  readonly session: string
  /** Of the tool and its arguments. */
  readonly digest: string
  /** The same of what is known of it after it has run. */
  readonly ran: string
}

export interface HookMemory {
  /** The intent of the same call that people were asked about; null where there is none. */
  find(place: HookedCall): Promise<string | null>
  note(place: HookedCall, callId: string | null, intent: string): void
  /** The call runs now under that intent. */
  ran(place: HookedCall, intent: string): void
  /** The next such call is asked about as a new one. */
  forget(place: HookedCall): void
  /** Under which intent a call that has run was asked about, as far as is known here. */
  intentOf(place: HookedCall, callId: string | null): string | null
  /** Whether that comes up for the first time here. */
  isFirst(what: string): boolean
  /** The folder in which the session began; that one where this is its first event. */
  folderOf(principal: string, session: string, cwd: string | null): Promise<string | null>
}

const rememberedMax = 1_024

export function hookMemory(runtime: Runtime): HookMemory {
  const asked = new Map<string, string>()
  const byCall = new Map<string, string>()
  const loaded = new Map<string, Promise<void>>()
  const said = new Set<string>()
  const folders = new Map<string, Promise<string | null>>()
  return {
    async find(place) {
      const session = `${place.principal} ${place.session}`
      const loading =
        loaded.get(session) ??
        load(runtime, place, (key, intent) => {
          asked.set(key, intent)
        })
      remember(loaded, session, loading)
      try {
        await loading
      } catch (error) {
        // Kept, it would block the session for as long as this process runs.
        loaded.delete(session)
        throw error
      }
      return asked.get(keyOf(place)) ?? null
    },
    note(place, callId, intent) {
      remember(asked, keyOf(place), intent)
      if (callId !== null) remember(byCall, `${place.session} ${callId}`, intent)
    },
    ran(place, intent) {
      remember(byCall, ranKeyOf(place), intent)
    },
    forget(place) {
      asked.delete(keyOf(place))
    },
    intentOf(place, callId) {
      const key = callId === null ? ranKeyOf(place) : `${place.session} ${callId}`
      return byCall.get(key) ?? null
    },
    isFirst(what) {
      if (said.has(what)) return false
      said.add(what)
      return true
    },
    async folderOf(principal, session, cwd) {
      const key = JSON.stringify([principal, session])
      const folder = folders.get(key) ?? firstFolder(runtime, { principal, session })
      remember(folders, key, folder)
      try {
        const found = await folder
        if (found === null && cwd !== null) remember(folders, key, Promise.resolve(cwd))
        return found ?? cwd
      } catch (error) {
        folders.delete(key)
        throw error
      }
    },
  }
}

/** What people were asked about in that session, the latest of each call. */
async function load(
  runtime: Runtime,
  { principal, session }: HookedCall,
  set: (key: string, intent: string) => void,
): Promise<void> {
  for await (const { intent, request } of askedBefore(runtime, { principal, session })) {
    const { tool, args } = request
    set(keyOf({ principal, session, digest: digestOfJson(jsonOf({ tool, args })) }), intent)
  }
}

function keyOf({ principal, session, digest }: Omit<HookedCall, 'ran'>): string {
  return JSON.stringify([principal, session, digest])
}

function ranKeyOf({ ran, ...place }: HookedCall): string {
  return keyOf({ ...place, digest: ran })
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= rememberedMax) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
