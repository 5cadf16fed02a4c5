// Words that people use for what tools call otherwise. They are verbs and things of every trade,
// not of one catalog; a related word counts less than the word itself.
import { routingWords } from './goal-words.ts'

const groups: readonly string[] = [
  'abort cancel stop',
  'accept approve',
  'access permission share',
  'account profile',
  'add append create insert make new',
  'alert notification notify',
  'answer reply respond',
  'appointment calendar event meeting',
  'ask query request',
  'attach upload',
  'begin launch start',
  'book booking reservation reserve',
  'change edit modify set update',
  'chat conversation message',
  'check verify',
  'clone copy duplicate',
  'close end finish stop',
  'colleague member person user',
  'comment note',
  'complete done finish',
  'cost price',
  'decline deny reject',
  'delete drop erase remove',
  'describe get list read retrieve show view',
  'detail info information',
  'directory folder',
  'document file',
  'email inbox mail mailbox',
  'execute invoke run',
  'find look query search',
  'fetch get open',
  'grant permission',
  'history log',
  'image photo picture',
  'invitation invite participant',
  'issue ticket',
  'money pay payment transaction transfer',
  'move postpone reschedule',
  'page url web website',
  'post publish send write',
  'project repo repository',
  'rename move',
  'save store write',
  'state status',
  'navigate open visit',
]

const related: ReadonlyMap<string, ReadonlySet<string>> = relations()

export function relatedTo(word: string): ReadonlySet<string> {
  return related.get(word) ?? none
}

const none: ReadonlySet<string> = new Set()

function relations(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const group of groups) {
    const words = routingWords(group)
    for (const word of words) {
      const others = found.get(word) ?? new Set()
      for (const other of words) if (other !== word) others.add(other)
      found.set(word, others)
    }
  }
  return found
}
