// Whether a stream is still the log that it was made as: every field of its configuration, and the
// sums that hold as long as nothing was ever removed. It only compares; it never fixes.
import { canonical, jsonOf } from '#record/canonical'
import { Fault } from '#record/fault'
import type { QueueInfo, StreamInfo } from './api.ts'
import type { StreamConfig } from './stream.ts'

/** Fields that an operator may choose, and that change nothing of what the log promises. */
const free = new Set(['num_replicas', 'metadata', 'placement', 'description'])

export interface StreamDifference {
  readonly field: string
  readonly wanted: string
  readonly found: string
}

/** Every field that is not as it was made; what was left out counts as none, false or zero. */
export function differencesIn(
  wanted: StreamConfig,
  found: StreamConfig,
): readonly StreamDifference[] {
  const fields = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].toSorted()
  return fields.flatMap((field) => {
    if (free.has(field)) return []
    const [one, other] = [said(field, wanted), said(field, found)]
    return one === other ? [] : [{ field, wanted: one, found: other }]
  })
}

function said(field: string, config: StreamConfig): string {
  const value = config[field]
  if (value === undefined || value === null || value === false || value === 0 || value === '')
    return 'none'
  if (field === 'consumer_limits' && isEmpty(value)) return 'none'
  // The order of subjects means nothing to the server.
  const isSet = field === 'subjects' && Array.isArray(value)
  return canonical(jsonOf(isSet ? value.map(String).toSorted() : value))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Throws a Fault that names the first field that differs, and how many there are. */
export function demandConfig(stream: string, wanted: StreamConfig, found: StreamConfig): void {
  const differences = differencesIn(wanted, found)
  const [first] = differences
  if (first === undefined) return
  const more = differences.length === 1 ? '' : `, and ${differences.length - 1} more`
  const what = `\`${first.field}\` is ${first.found}, and ${first.wanted} is needed${more}`
  const fix =
    'someone changed it: look at `warrant doctor`, and trust nothing that was appended since'
  throw new Fault(
    'log_differs',
    `the stream \`${stream}\` is not configured as a log: ${what}; ${fix}`,
  )
}

/** What shows that facts were removed, or null as long as the sums hold. */
export function missingIn({ state }: StreamInfo): string | null {
  const { messages, first_seq: first, last_seq: last, num_subjects: names, num_deleted } = state
  // Without a fact an era's stream says where it will begin; a new one contains nothing.
  const span = last === 0 ? 0 : last - first + 1
  if (messages !== span) return `it holds ${messages} facts, and its positions say ${span}`
  if (names !== messages) return `it holds ${messages} facts under ${names} names`
  return num_deleted === 0 ? null : `${num_deleted} facts were deleted`
}

/** The same of a mirror, which no one can publish to; the server sets these fields as it likes. */
export function demandMirror(stream: string, wanted: StreamConfig, found: StreamConfig): void {
  demandConfig(stream, ofMirror(wanted, found), ofMirror(found, found))
}

export function differencesInMirror(
  wanted: StreamConfig,
  found: StreamConfig,
): readonly StreamDifference[] {
  return differencesIn(ofMirror(wanted, found), ofMirror(found, found))
}

// A mirror that was made before followers were limited is as true a copy, and must stop no worker.
function ofMirror(config: StreamConfig, found: StreamConfig): StreamConfig {
  const { duplicate_window: _window, mirror_direct: _direct, consumer_limits, ...rest } = config
  return limitsFollowers(found) ? { ...rest, consumer_limits } : rest
}

/** Whether the mirror removes followers that ask for nothing. */
export function limitsFollowers({ consumer_limits: limits = {} }: StreamConfig): boolean {
  return !isEmpty(limits)
}

/** Throws a Fault when facts were removed, or when it is another stream than it was. */
export function demandWhole(stream: string, info: StreamInfo, created: string | null): void {
  const again = created !== null && info.created !== created
  const why = again ? `it was made again at ${info.created}` : missingIn(info)
  if (why === null) return
  const message = `the stream \`${stream}\` is not whole: ${why}; facts were removed by an operator`
  throw new Fault('log_tampered', message)
}

const nanosecondsPerMs = 1_000_000

/** How long a silent worker keeps the jobs of a queue. */
export function ackWaitMsIn({ config }: Pick<QueueInfo, 'config'>): number {
  return config.ack_wait / nanosecondsPerMs
}

/** The patterns of a queue, as the server has them. */
export function queueNamesIn({ config }: QueueInfo): readonly string[] {
  const { filter_subject: one, filter_subjects: several } = config
  return several ?? (one === undefined ? [] : [one])
}
