// The event of a coding agent on standard input, and its answer: read once, and held by the part of
// the program that asks first, so that what it does not answer is still there for the other.
import type { HookPrinted } from '#hooks/send'

export const eventBytesMax = 4 * 1024 * 1024

let held: Promise<string> | null = null

/** Read for the first time, or what was held. */
export function eventText(): Promise<string> {
  const text = held ?? read()
  held = null
  return text
}

/** The same, and the next who asks gets it again. */
export function heldEventText(): Promise<string> {
  held = eventText()
  return held
}

async function read(): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const input: AsyncIterable<Uint8Array> = process.stdin
  for await (const part of input) {
    bytes += part.length
    if (bytes > eventBytesMax) throw new Error(`the event is larger than ${eventBytesMax} bytes`)
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export async function printHook({
  stdout,
  stderr,
}: Pick<HookPrinted, 'stdout' | 'stderr'>): Promise<void> {
  await new Promise((resolve) => process.stdout.write(stdout, resolve))
  await new Promise((resolve) => process.stderr.write(stderr, resolve))
}
