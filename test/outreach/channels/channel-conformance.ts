// What every channel promises, one case for each sentence of `shared/ports/channels.ts`.
import { describe, expect, test } from 'vitest'
import { ChannelFailure, type Channel, type ChannelMessage } from '#ports/channels'
import type { ReachTarget } from '#schemas/outreach/reach'
import { endWithTest } from '../../support/vitest/endings.ts'

export const canary = 'canary-7f3d-secret'

export const message: ChannelMessage = {
  id: '0123456789ABCDEFGHJKMNPQRS',
  subject: 'Review: “bot” asks for “files.delete”, until 2026-01-01 00:15 UTC',
  lines: ['The agent “bot” asks for “files.delete”.', 'It can be answered until 00:15.'],
  link: 'https://warrant.example/reviews/bot.-.u1',
  at: Date.UTC(2026, 0, 1),
  until: Date.UTC(2026, 0, 1, 0, 15),
}

/** How the other side answers. */
export type Answers = 'taken' | 'busy' | 'refused' | 'silent'

export interface Stand {
  readonly channel: Channel
  readonly target: ReachTarget
  /** The texts that the other side was given, unsealed. */
  readonly received: () => readonly string[]
}

export interface StandOptions {
  readonly answers: Answers
  /** Whether the operator has listed the host, which is at a private address. */
  readonly isListed?: boolean
}

const other: ReachTarget = { channel: 'slack', secret: 'NOWHERE' }
const otherMail: ReachTarget = { channel: 'mail', address: 'ann@example.org' }

async function failureOf(delivery: Promise<void>): Promise<ChannelFailure> {
  const failure: unknown = await delivery.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(failure instanceof ChannelFailure)) throw new Error('no failure of a channel')
  return failure
}

type Open = (options: StandOptions) => Promise<Stand>

const never = new AbortController().signal

export function channelConformance(name: string, open: Open): void {
  const stand: Open = async (options) => {
    const made = await open(options)
    endWithTest(() => made.channel.close())
    return made
  }
  describe(`${name} as a channel`, () => {
    takesMessages(stand)
    keepsToItself(stand)
  })
}

function takesMessages(stand: Open): void {
  test('resolves when the other side has taken the message, with its text and its link', async () => {
    const { channel, target, received } = await stand({ answers: 'taken' })
    await channel.deliver({ target, message, signal: never })
    expect(received()).toHaveLength(1)
    expect(received()[0]).toContain('files.delete')
    expect(received()[0]).toContain(message.link)
  })

  test('attempts it once, and says whether the same may succeed later', async () => {
    const busy = await stand({ answers: 'busy' })
    expect(
      await failureOf(busy.channel.deliver({ target: busy.target, message, signal: never })),
    ).toMatchObject({ mayPass: true })
    expect(busy.received().length).toBeLessThanOrEqual(1)
    const refused = await stand({ answers: 'refused' })
    const failure = await failureOf(
      refused.channel.deliver({ target: refused.target, message, signal: never }),
    )
    expect(failure).toMatchObject({ mayPass: false })
    expect(failure.message).toBe(failure.code)
  })

  test('settles soon after its signal aborts, whatever the other side does', async () => {
    const { channel, target } = await stand({ answers: 'silent' })
    const abort = new AbortController()
    const delivery = failureOf(channel.deliver({ target, message, signal: abort.signal }))
    setImmediate(() => abort.abort(new DOMException('late', 'TimeoutError')))
    expect(await delivery).toMatchObject({ code: 'timed_out', mayPass: true })
  })

  test('sends nothing where its signal had aborted before', async () => {
    const { channel, target, received } = await stand({ answers: 'taken' })
    const signal = AbortSignal.abort(new DOMException('late', 'TimeoutError'))
    expect(await failureOf(channel.deliver({ target, message, signal }))).toMatchObject({
      code: 'timed_out',
    })
    expect(received()).toEqual([])
  })
}

function keepsToItself(stand: Open): void {
  test('takes no target of another channel', async () => {
    const { channel, received } = await stand({ answers: 'taken' })
    const target = channel.kind === 'slack' ? otherMail : other
    expect(await failureOf(channel.deliver({ target, message, signal: never }))).toMatchObject({
      code: 'target_invalid',
      mayPass: false,
    })
    expect(received()).toEqual([])
  })

  test('connects to no private address that the operator has not listed', async () => {
    const { channel, target, received } = await stand({ answers: 'taken', isListed: false })
    const failure = await failureOf(channel.deliver({ target, message, signal: never }))
    expect(['url_blocked', 'secret_invalid']).toContain(failure.code)
    expect(received()).toEqual([])
  })

  test('repeats no secret, no address and no word of the other side in what it throws', async () => {
    for (const answers of ['busy', 'refused'] as const) {
      const { channel, target } = await stand({ answers })
      const failure = await failureOf(channel.deliver({ target, message, signal: never }))
      const { message: words, stack, cause } = failure
      const said = `${words} ${stack} ${JSON.stringify(failure)} ${String(cause)}`
      expect(said).not.toContain(canary)
    }
  })

  test('leaves nothing open after it was closed, and fails then', async () => {
    const { channel, target, received } = await stand({ answers: 'taken' })
    await channel.close()
    expect(await failureOf(channel.deliver({ target, message, signal: never }))).toMatchObject({
      mayPass: true,
    })
    expect(received()).toEqual([])
  })
}
