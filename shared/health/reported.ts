// What groundings and verdicts of a log report, found without reading them as events: it is counted
// and listed, and permits nothing.
import type { Fact } from '#ports/log'
import { ReasonCode } from '#schemas/reasons'
import { VlpIssueCode } from '#schemas/vlp'

/** The VLP issues that the bytes of a grounding hold, each once. */
export function issuesIn(bytes: Uint8Array): readonly VlpIssueCode[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Within a text a quote is escaped, so no text of an agent can hold this.
  return VlpIssueCode.options.filter((code) => text.includes(`"code":"${code}"`))
}

const said = /"outcome":"(allow|deny)","reasons":\[(?:\{"code":"([a-z_]{1,64})")?/
const codes: ReadonlySet<string> = new Set(ReasonCode.options)

/**
 * What a verdict is counted under. To read it as those do who act on it costs more than all the
 * counting, and a label permits nothing. Its bytes are canonical, so what is before the outcome
 * cannot hold this.
 */
export function verdictLabels({ bytes }: Pick<Fact, 'bytes'>) {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const [found, decision = '', code = 'none'] = said.exec(text) ?? []
  const isKnown = found !== undefined && (code === 'none' || codes.has(code))
  return isKnown ? { decision, reason: code } : { decision: 'unreadable', reason: 'none' }
}
