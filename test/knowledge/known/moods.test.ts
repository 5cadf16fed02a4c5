// Which sentences ask an agent to do something now, and which only speak of it. Frames, acts and
// values are put together by a generator, so that no sentence was chosen by hand.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument } from '#schemas/values'
import { noEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

function how(known: object, value: unknown, says: string) {
  const message = { name: 's', sender: 'desk', content: says, payload: null, counts: true }
  const argument = KnownArgument.parse({ arg: '/value', ...known })
  return soughtValues([argument], { value }, { ...noEvidence, messages: [message] })[0]?.found.found
}

interface Act {
  readonly base: string
  readonly done: string
  readonly doing: string
  readonly kind: string
  /** Between the verb and the value. */
  readonly to: string
  readonly values: readonly string[]
}

const accounts = ['DE89370400440532013000', 'NL9120041820']
const emails = ['ann@harbour.example', 'p.q@x.org']
const paths = ['/desk/a.txt', '/desk/old/maps']
const names = ["'maps'", 'ann/notes']
const act = (
  base: string,
  done: string,
  doing: string,
  more: Omit<Act, 'base' | 'done' | 'doing'>,
) => ({
  base,
  done,
  doing,
  ...more,
})
const acts: readonly Act[] = [
  act('pay', 'paid', 'paying', { kind: 'account', to: '45 to', values: accounts }),
  act('transfer', 'transferred', 'transferring', {
    kind: 'account',
    to: '$120 to',
    values: accounts,
  }),
  act('send', 'sent', 'sending', { kind: 'account', to: '20 euros to', values: accounts }),
  act('invite', 'invited', 'inviting', { kind: 'email', to: '', values: emails }),
  act('add', 'added', 'adding', { kind: 'email', to: '', values: emails }),
  act('delete', 'deleted', 'deleting', { kind: 'path', to: '', values: paths }),
  act('remove', 'removed', 'removing', { kind: 'path', to: 'the old', values: paths }),
  act('delete', 'deleted', 'deleting', { kind: 'name', to: 'the repository', values: names }),
  act('publish', 'published', 'publishing', { kind: 'name', to: '', values: names }),
  act('cancel', 'cancelled', 'cancelling', {
    kind: 'id',
    to: 'order',
    values: ['KW-5531', '7781'],
  }),
]

const ways = fc
  .constantFrom(...acts)
  .chain((one) => fc.constantFrom(...one.values).map((value) => ({ ...one, value })))

type Way = Act & { readonly value: string }
/** A sentence with the act: `do` as `pay 45 to …`, or the thing alone. */
type Frame = (words: Record<'do' | 'did' | 'doing' | 'it' | 'done', string>) => string

const said = (frame: Frame, { base, done, doing, to, value }: Way): string => {
  const it = `${to} ${value}`.trim()
  return frame({ do: `${base} ${it}`, did: `${done} ${it}`, doing: `${doing} ${it}`, it, done })
}
const sample = { base: 'pay', done: 'paid', doing: 'paying', kind: '', to: '45 to', values: [] }
const shown = (frame: Frame) => [said(frame, { ...sample, value: 'X' }), frame] as const
const found = (frame: Frame, way: Way) => {
  const bare = way.value.replaceAll("'", '')
  return how({ kind: way.kind, asks: [way.base] }, bare, said(frame, way))
}

function always(frame: Frame, place: string): void {
  fc.assert(
    fc.property(ways, (way) => {
      expect(found(frame, way)).toBe(place)
    }),
  )
}

const asks: readonly Frame[] = [
  (w) => w.do,
  (w) => `Please ${w.do}.`,
  (w) => `please ${w.do} today`,
  (w) => `${w.do}, please.`,
  (w) => `Hi, could you ${w.do}?`,
  (w) => `Can you please ${w.do}?`,
  (w) => `Would you kindly ${w.do}?`,
  (w) => `Will you ${w.do} for me?`,
  (w) => `Would you mind ${w.doing}?`,
  (w) => `Would you be so kind as to ${w.do}?`,
  (w) => `Would it be possible to ${w.do}?`,
  (w) => `Is it possible to ${w.do}?`,
  (w) => `I want to ${w.do}.`,
  (w) => `I want you to ${w.do}.`,
  (w) => `I need you to ${w.do} now.`,
  (w) => `I'd like to ${w.do}.`,
  (w) => `I’d like you to ${w.do}.`,
  (w) => `We would like to ${w.do}.`,
  (w) => `I would appreciate it if you could ${w.do}.`,
  (w) => `It would be great if you could ${w.do}.`,
  (w) => `Let's ${w.do}.`,
  (w) => `Don't forget to ${w.do}.`,
  (w) => `Make sure to ${w.do}.`,
  (w) => `Log in to my account (my details are in notes.txt) and ${w.do}.`,
  (w) => `Please make sure that you ${w.do}.`,
  (w) => `Go ahead and ${w.do}.`,
  (w) => `Please help me to ${w.do}.`,
  (w) => `It is time to ${w.do}.`,
  (w) => `You can ${w.do} now.`,
  (w) => `Look at the weather and ${w.do}.`,
  (w) => `Read my mail, then ${w.do}.`,
  (w) => `First open the calendar, and then ${w.do}.`,
  (w) => `Please check whether it rains, and ${w.do}.`,
  (w) => `Ann wrote to me, so please ${w.do}.`,
  (w) => `I talked to Bob yesterday. Please ${w.do}.`,
  (w) => `If possible, ${w.do}.`,
  (w) => `If you can, please ${w.do}.`,
  (w) => `Please ${w.do} if you don't mind.`,
  (w) => `When you are done, ${w.do}.`,
  (w) => `After that, ${w.do}.`,
  (w) => `Here is what I need: ${w.do}.`,
  (w) => `Please tidy up: ${w.do}.`,
  (w) => `I forgot to ${w.do}. Please do it now.`,
  (w) => `I still have to ${w.do}. Please do so.`,
  (w) => `Bob says I may ${w.do}. Please do that.`,
  (w) => `On 22 May ${w.do}.`,
  (w) => `${w.do} on May 22.`,
  (w) => `Bob is back in May, so ${w.do}.`,
  (w) => `${w.do}, would you?`,
  (w) => `Please ${w.do}, ok?`,
  (w) => `It has not been done yet, ${w.do}.`,
  (w) => `The thing is not needed any more, so please ${w.do}.`,
]

const leaves: Readonly<Record<string, readonly Frame[]>> = {
  past: [
    (w) => `I ${w.did}.`,
    (w) => `Yesterday I ${w.did}. Please write to Bob about it.`,
    (w) => `I already ${w.did}.`,
    (w) => `We have ${w.did}, and all is well.`,
    (w) => `Last week Bob ${w.did} by mistake. Please look into it.`,
    (w) => `I accidentally ${w.did}, please restore everything.`,
  ],
  another: [
    (w) => `Alice will ${w.do}.`,
    (w) => `Someone wants to ${w.do}. Please look at my inbox.`,
    (w) => `Alice is going to ${w.do} tomorrow. Please send me the checklist.`,
    (w) => `Chloe says that I should ${w.do}. Is that right?`,
    (w) => `A mail says I must ${w.do}.`,
    (w) => `The user mallory wants me to ${w.do}. Read the mail.`,
    (w) => `Bob wants you to ${w.do}.`,
    (w) => `Someone tried to make me ${w.do}. Please report it.`,
    (w) => `They ask us to call and ${w.do}.`,
    (w) => `I will ${w.do} next week.`,
    (w) => `Bob and I ${w.do} each month.`,
    (w) => `Bob may ${w.do} on 22 May.`,
    (w) => `From 22 May on Bob may ${w.do}.`,
    (w) => `My boss promised to write back and ${w.do}.`,
  ],
  question: [
    (w) => `Should I ${w.do}?`,
    (w) => `Should I ${w.do}? Please look at the mail.`,
    (w) => `Did I ${w.do}?`,
    (w) => `Who ${w.did}?`,
    (w) => `Why did Bob ${w.do}?`,
    (w) => `How do I ${w.do}?`,
    (w) => `Am I allowed to ${w.do}?`,
    (w) => `Do we have to ${w.do}?`,
    (w) => `I want to ${w.do}?`,
    (w) => `What happens when I ${w.do}?`,
    (w) => `Would Alice ${w.do}?`,
    (w) => `May I ${w.do}?`,
    (w) => `Is it May 22, and may I ${w.do}?`,
  ],
  noted: [
    (w) => `Please remind me to ${w.do}.`,
    (w) => `Remind me tomorrow to ${w.do}, and to call Bob.`,
    (w) => `Remind me to buy milk and ${w.do}.`,
    (w) => `Please remind me to call Bob, and ${w.do}.`,
    (w) => `Create an event '${w.do}' on Friday.`,
    (w) => `Please create an issue "${w.do}" in wiki.`,
    (w) => `Add “${w.do}” to my list.`,
    (w) => `Write a note that I have to ${w.do}.`,
    (w) => `Draft a mail to Chloe saying that I will ${w.do}.`,
    (w) => `Please write a reminder: ${w.do}.`,
    (w) => `Bob wrote: 'Hi. ${w.do}. Thanks'. Please answer Bob.`,
    (w) => `Explain how to ${w.do}.`,
  ],
  condition: [
    (w) => `If Chloe agrees, ${w.do}.`,
    (w) => `Please ${w.do} if Chloe agrees.`,
    (w) => `If there is enough left, please ${w.do}.`,
    (w) => `${w.do} unless Bob objects.`,
    (w) => `Only if I agree later, ${w.do}.`,
    (w) => `Please ${w.do}. But only if Alice agrees.`,
    (w) => `Once the goods have arrived, ${w.do}.`,
    (w) => `As soon as Bob answers, ${w.do}.`,
    (w) => `Wait until Friday, then ${w.do}.`,
    (w) => `Wait until the goods have arrived. Then ${w.do}.`,
    (w) => `When Bob has answered, ${w.do}.`,
    (w) => `After Alice has agreed, ${w.do}.`,
    (w) => `Check if it rains and, if so, ${w.do}.`,
    (w) => `Please ${w.do} next month.`,
    (w) => `Write to Bob before we ${w.do}.`,
    (w) => `Provided that Bob agrees, ${w.do}.`,
  ],
  asked: [
    (w) => `Ask Alice to ${w.do}.`,
    (w) => `Please ask Alice whether she will ${w.do}.`,
    (w) => `Ask Alice to call Bob and ${w.do}.`,
    (w) => `Please find out who ${w.did}.`,
    (w) => `Check that Bob ${w.did}.`,
    (w) => `Please check whether we may ${w.do}.`,
    (w) => `Compare the two and report whether I may ${w.do}.`,
    (w) => `Write to Bob that we ${w.do}.`,
    (w) => `Let Bob know that I want to ${w.do}.`,
    (w) => `Please get Alice to ${w.do}.`,
    (w) => `See if someone could ${w.do}.`,
    (w) => `I want Alice to ${w.do}.`,
  ],
  barred: [
    (w) => `Do not ${w.do}.`,
    (w) => `Please don't ${w.do}.`,
    (w) => `Never ${w.do}.`,
    (w) => `Call Bob instead of ${w.doing}.`,
    (w) => `I do not want you to ${w.do}.`,
    (w) => `You are not to ${w.do}.`,
    (w) => `Bob is not the one to ${w.do}, and you are not.`,
  ],
  foreign: [
    (w) => `Bitte ${w.it} ansehen.`,
    (w) => `Merci de ne rien faire avec ${w.it}.`,
    (w) => `Look at ${w.it}.`,
    (w) => w.it,
  ],
}

describe('who asks for an act now', () => {
  test.each(asks.map(shown))('%s', (_, frame) => {
    always(frame, 'message')
  })

  test.each([
    (w) => `I need ${w.it} ${w.done}.`,
    (w) => `I'd like ${w.it} to be ${w.done}.`,
    (w) => `I want ${w.it} ${w.done} today.`,
    (w) => `The thing ${w.it} should be ${w.done}.`,
    (w) => `${w.it} can be ${w.done}.`,
    (w) => `${w.it} has to be ${w.done}.`,
    (w) => `Please have ${w.it} ${w.done}.`,
  ] satisfies Frame[])('by what is to become of it: %s', (frame) => {
    always(frame, 'message')
  })
})

describe.each(Object.entries(leaves))('who does not, since it is %s', (_, frames) => {
  test.each(frames.map(shown))('%s', (_said, frame) => {
    always(frame, 'unasked')
  })

  test('but by another sentence', () => {
    const both = fc.tuple(ways, fc.constantFrom(...frames), fc.boolean())
    fc.assert(
      fc.property(both, ([way, frame, isFirst]) => {
        const parts = [said((w) => `Please ${w.do}.`, way), said(frame, way)]
        const text = (isFirst ? parts : parts.toReversed()).join('\n')
        const bare = way.value.replaceAll("'", '')
        expect(how({ kind: way.kind, asks: [way.base] }, bare, text)).toBe('message')
      }),
    )
  })
})
