// Whether each open review can still be answered, and whether anyone who could was notified of it;
// and, where people are reached at all, who of those that are asked is reached nowhere.
import { canSign } from '#rules/catalog/people/signed-words'
import { decidesForOthers } from '#rules/catalog/duties'
import { Fault } from '#record/fault'
import { counted } from '#present/wording'
import type { Runtime } from '#runtime/engine/runtime'
import { openReviewOf } from '#runtime/engine/gathering/open-reviews'
import { askedBy, troubleOf } from '#outreach/asking'
import { recordedNotifications, takeRecorded } from '#outreach/recorded-notifications'
import { reachEntries } from '#outreach/reach-store'
import { failure, ok, warning, type DoctorFinding } from '#health/doctor/finding'
import { unanswerableIn } from '#health/outreach-metrics'
import { ChannelKind } from '#schemas/outreach/notification'
import type { Reach } from '#schemas/outreach/reach'

/** Reviews that are looked at one by one. */
const reviewsMax = 1_000

/** `file` is the store of addresses; null where there is no place for one. */
export async function reachFindings(
  runtime: Runtime,
  file: string | null,
): Promise<readonly DoctorFinding[]> {
  const { follower, logClock } = runtime
  const unanswerable = unanswerableIn(follower.state, logClock.now())
  const [about] = unanswerable
  const answered =
    about === undefined
      ? ok('reviews', 'every open review has people who can answer it')
      : warning('reviews', `${counted(unanswerable.length, 'review')} that no one can answer`, {
          about,
          fix:
            'its people have left, are suspended or have no key, or what stands where an answer ' +
            'would is void: add others to the group',
        })
  try {
    const entries = file === null ? [] : reachEntries(file)
    // Where no one is reached by messages, people look for themselves.
    if (entries.length === 0) return [answered]
    return [
      answered,
      ...(await unreachedFindings(runtime, entries)),
      peopleFinding(runtime, entries),
    ]
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'reach_file_invalid') throw error
    return [answered, failure('reach', error.message, { fix: 'see docs/people/notifications.md' })]
  }
}

async function unreachedFindings(
  runtime: Runtime,
  entries: readonly Reach[],
): Promise<readonly DoctorFinding[]> {
  const { follower, log, logClock } = runtime
  const { state } = follower
  const past = recordedNotifications()
  await takeRecorded({ log, state }, past)
  const byPerson = new Map(entries.map((entry) => [entry.person, entry]))
  const find = (person: string): Reach | null => byPerson.get(person) ?? null
  const reached = { state, find, channels: ChannelKind.options }
  const unreached: string[] = []
  for (const intent of [...state.intents.values()].slice(0, reviewsMax)) {
    const open = await openReviewOf(runtime, intent)
    if (open === null) continue
    const now = logClock.now()
    const asked = askedBy(reached, intent, open.review.confirmation, now)
    const trouble = asked === null ? null : troubleOf(asked, past.of(open.name), now)
    if (trouble === 'unreached') unreached.push(intent.address)
  }
  const [about] = unreached
  if (about === undefined) return []
  const found = `${counted(unreached.length, 'review')} of which no one who can answer was notified`
  const fix = 'look at `warrant log --name "notification.>"`, and try `warrant reach test PERSON`'
  return [warning('reviews', found, { about, fix })]
}

function peopleFinding({ follower }: Runtime, entries: readonly Reach[]): DoctorFinding {
  const { catalog } = follower.state
  const reached = new Set(
    entries.filter(({ targets }) => targets.length > 0).map(({ person }) => person),
  )
  const asked = [...catalog.principals.values()].filter(
    (principal) => canSign(catalog, principal) && decidesForOthers(catalog, principal.id),
  )
  const [first, ...others] = asked.filter(({ id }) => !reached.has(id))
  if (first === undefined) return ok('reach', 'everyone who decides for others is reached')
  const found = `${counted(others.length + 1, 'person')} who may be asked, and is reached nowhere`
  const fix = 'set an address with `warrant reach set`'
  return warning('reach', found, { about: first.id, fix })
}
