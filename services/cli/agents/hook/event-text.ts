// The event of a coding agent on standard input, and its answer: read once, and held by the part of
// the program that asks first, so that what it does not answer is still there for the other.
import { asCalled } from '#wiring/called'
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

function read(): Promise<string> {
  return textUpTo(process.stdin, { what: 'the event', bytesMax: eventBytesMax })
}

/** All that comes, up to its end. */
export async function textUpTo(
  coming: AsyncIterable<Uint8Array>,
  { what, bytesMax }: { readonly what: string; readonly bytesMax: number },
): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of coming) {
    bytes += part.length
    if (bytes > bytesMax) throw new Error(`${what} is larger than ${bytesMax} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

export async function printHook({
  stdout,
  stderr,
}: Pick<HookPrinted, 'stdout' | 'stderr'>): Promise<void> {
  await new Promise((resolve) => process.stdout.write(asCalled(stdout), resolve))
  await new Promise((resolve) => process.stderr.write(asCalled(stderr), resolve))
}
