// What people say beside their answers, in words.
import type { SettlementData } from '#schemas/action/settlement'
import type { AbsenceData, EnrolmentData, HandoverData, NoteData } from '#schemas/people/said'
import { quoted, short } from '#record/quote'
import { said, utc } from '../wording.ts'
import { because } from './phrase.ts'
import { noteLines, plain, type Phrase } from './said.ts'

const notePhraseCharactersMax = 80

export const peopleWordings = {
  settlement: {
    phrase: (data: SettlementData) => `${settledText(data)}${because(data.note)}`,
    said: (data: SettlementData): Phrase => {
      return plain(settledText(data), data.note === undefined ? [] : [data.note])
    },
  },
  handover: {
    phrase: (data: HandoverData) => `${handoverText(data)}${because(data.note)}`,
    said: (data: HandoverData): Phrase => plain(handoverText(data), noteLines(data.note)),
  },
  enrolment: {
    phrase: enrolmentText,
    said: (data: EnrolmentData): Phrase => plain(enrolmentText(data)),
  },
  absence: {
    phrase: (data: AbsenceData) => `${absenceText(data)}${because(data.note)}`,
    said: (data: AbsenceData): Phrase => plain(absenceText(data), noteLines(data.note)),
  },
  note: {
    phrase: ({ by, about, text }: NoteData) => {
      return `${quoted(by)} notes on ${aboutText(about)}: ${short(text, notePhraseCharactersMax)}`
    },
    said: ({ by, about, text }: NoteData): Phrase => {
      const what = 'intent' in about ? 'it' : aboutText(about)
      return plain(`${quoted(by)} notes on ${what}`, [said(text)])
    },
  },
} as const

function settledText({ by, happened }: SettlementData): string {
  return `${quoted(by)} says that it ${happened ? 'happened' : 'did not happen'}`
}

function handoverText({ confirmer, to }: HandoverData): string {
  return `${quoted(confirmer)} asks ${quoted(to)} to look at it instead`
}

function enrolmentText({ confirmer, until, label }: EnrolmentData): string {
  const which = label === undefined ? 'a browser' : `the browser ${quoted(label)}`
  if (until === null) return `${quoted(confirmer)} lets ${which} answer no more`
  return `${quoted(confirmer)} lets ${which} answer until ${utc(until)}`
}

function absenceText({ confirmer, deputy, until }: AbsenceData): string {
  if (deputy === null || until === null) return `${quoted(confirmer)} is back`
  return `${quoted(confirmer)} is away until ${utc(until)}, and ${quoted(deputy)} may answer`
}

function aboutText(about: NoteData['about']): string {
  return 'intent' in about ? `the intent ${about.intent}` : `position ${about.position}`
}
