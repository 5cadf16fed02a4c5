// What people say beside their answers, in the words of the page: which browser signs for them,
// whom they ask to look, and who answers while they are away.
import type { CardAnswer } from '#schemas/console/reviews'

const daysOffered = { 1: 'one day', 3: 'three days', 7: 'seven days' } as const
const daysAway = { 1: 'one day', 3: 'three days', 7: 'a week', 14: 'two weeks', 30: '30 days' }

export const besideLabels = {
  browser: {
    title: 'This browser',
    lead:
      'A key of this browser signs your answers without your device asking each time. ' +
      'It signs answers alone, and only where a rule admits it; all else takes your passkey.',
    without: 'This browser cannot make such a key: it lacks Ed25519, or may store nothing.',
    noPasskey: 'It takes a passkey of yours at this address.',
    label: 'What you call this browser',
    span: 'For how long',
    days: daysOffered,
    make: 'Let this browser sign',
    signing: 'Confirm on your device',
    none: 'No browser signs for you.',
    here: 'this browser',
    unnamed: 'a browser without a name',
    until: 'until',
    since: 'since',
    end: 'End it',
    endLead: 'What it has signed counts no more, where that is not decided yet.',
    ended: 'It answers no more',
    forget: 'Forget the key here',
    gone: 'The key that is here counts no more. Forget it, or make another.',
    sign: 'Sign with this browser’s key',
    made: 'This browser signs for you',
  },
  handover: {
    open: 'Hand over',
    title: 'Ask someone else to look',
    lead: 'Both of you may answer it, before and after. It gives no one a right.',
    to: 'To',
    note: 'What they should know',
    sign: 'Ask them',
    done: 'Handed over',
  },
  away: {
    title: 'Being away',
    lead: 'While you are away, another answers for you where a rule admits deputies.',
    deputy: 'Who answers for you',
    span: 'For how long',
    days: daysAway,
    note: 'A note',
    sign: 'Say that you are away',
    back: 'Say that you are back',
    signing: 'Confirm on your device',
    done: 'You are away',
    isBack: 'You are back',
  },
  answerAs: { title: 'Whose answer it is', own: 'yours' },
} as const

/** Under the buttons: whose answer it would be. */
export function answersForText(person: string): string {
  return `You answer in place of ${person}, who is away.`
}

type Handover = CardAnswer['handovers'][number]

export function handedOverText({ from, to }: Pick<Handover, 'from' | 'to'>): string {
  return `${from} asks ${to} to look`
}

type Deputy = CardAnswer['deputies'][number]

export function deputyText({ person, instead }: Pick<Deputy, 'person' | 'instead'>): string {
  return `${instead} is away, and ${person} may answer in their place`
}

/** On a line of the inbox: why it stands there. */
export function standsHereText({
  for: absent,
  askedBy,
}: {
  readonly for: string | null
  readonly askedBy: readonly string[]
}): string | null {
  const parts = [
    ...(absent === null ? [] : [`for ${absent}`]),
    ...(askedBy.length === 0 ? [] : [`${askedBy.join(', ')} asks you to look`]),
  ]
  return parts.length === 0 ? null : parts.join(' · ')
}

export function awayText(deputy: string): string {
  return `You are away. ${deputy} answers for you until`
}

export function standingInText(person: string): string {
  return `You answer for ${person} until`
}
