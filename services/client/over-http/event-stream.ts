// Server-sent events as they come over a line: parsed by the standard's rules for the fields that
// our servers send.
import { Fault } from '#record/fault'

export interface StreamEvent {
  readonly event: string
  readonly data: string
}

export interface EventReading {
  /** So long the line may be silent. */
  readonly silentMsMax: number
  /** Takes the id of each event as soon as it is whole, also of one without data. */
  readonly onId?: (id: string) => void
}

/** More than a server of ours sends in one event. */
const lineCharactersMax = 4_000_000

/** Until the line ends. Throws a Fault `server_unreachable` where it is silent for too long. */
export async function* eventsOf(
  { body }: Response,
  { silentMsMax, onId }: EventReading,
): AsyncGenerator<StreamEvent> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let fields = none()
  try {
    for (;;) {
      const { done, value } = await within(silentMsMax, reader.read())
      if (done) return
      const lines = (rest + value).split(/\r\n|\n/)
      rest = lines.pop() ?? ''
      if (rest.length > lineCharactersMax) throw tooLong()
      for (const line of lines) {
        if (line !== '') {
          take(fields, line)
          continue
        }
        const { event, data, id } = fields
        fields = none()
        if (data.length > 0) yield { event, data: data.join('\n') }
        // What was seen is left behind only once it was dealt with.
        if (id !== null) onId?.(id)
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

interface Fields {
  event: string
  data: string[]
  id: string | null
}

const none = (): Fields => ({ event: 'message', data: [], id: null })

function take(fields: Fields, line: string): void {
  const at = line.indexOf(':')
  const name = at === -1 ? line : line.slice(0, at)
  const value = at === -1 ? '' : line.slice(at + 1).replace(/^ /, '')
  if (name === 'event') fields.event = value
  else if (name === 'data') fields.data.push(value)
  else if (name === 'id') fields.id = value
}

async function within<T>(ms: number, reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooQuiet(ms)), ms)
  })
  try {
    return await Promise.race([reading, silent])
  } finally {
    clearTimeout(timer)
  }
}

function tooQuiet(ms: number): Fault {
  return new Fault('server_unreachable', `the stream of events was silent for ${ms} ms`)
}

function tooLong(): Fault {
  return new Fault('answer_unread', 'an event is longer than any that a server sends')
}
