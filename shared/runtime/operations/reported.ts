// What the groundings of a log report of messages, found without reading them as events: it is
// counted and listed, and permits nothing.
import { VlpIssueCode } from '#schemas/vlp'

/** The VLP issues that the bytes of a grounding hold, each once. */
export function issuesIn(bytes: Uint8Array): readonly VlpIssueCode[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Within a text a quote is escaped, so no text of an agent can hold this.
  return VlpIssueCode.options.filter((code) => text.includes(`"code":"${code}"`))
}
