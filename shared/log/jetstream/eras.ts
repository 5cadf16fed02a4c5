// The streams of a realm, one an era, as one log: which of them a name or a position belongs to.
// It must never take a stream for an era whose configuration or sums are not those of a log.
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '#record/fault'
import { isShared, type Place } from '#record/names'
import { streamInfo, type StreamInfo } from '../nats/api.ts'
import { erasOf } from '../nats/eras.ts'
import { demandConfig, demandMirror, demandWhole } from '../nats/wholeness.ts'
import type { Requests } from '../nats/requests.ts'
import type { Head } from '#ports/log'
import { logLike, logStream, mirrorLike, streamNames, takesFromSpeakers } from '../nats/stream.ts'

export interface Era {
  readonly era: number
  /** The stream, and its copy for reading. */
  readonly log: string
  readonly mirror: string
  readonly created: string
  readonly takesFromSpeakers: boolean
  /** The position of its first fact. */
  readonly first: number
  /** The position of its last fact, once it is sealed. */
  readonly last: number | null
}

const restoreLog = 'restore it from a copy (docs/run/operations.md, A stream is gone)'
const makeMirror = 'one makes it again by `warrant nats init`'

/** So often, and so long apart, a configuration that differs is looked at. */
const [looksMax, lookAgainMs] = [5, 100]

export class JetStreamEras {
  readonly #requests: Requests
  readonly #realm: string
  readonly #subjects: readonly string[] | undefined
  #eras: readonly Era[] = []
  #position = 0

  constructor(requests: Requests, realm: string, subjects?: readonly string[]) {
    this.#requests = requests
    this.#realm = realm
    this.#subjects = subjects
  }

  get all(): readonly Era[] {
    return this.#eras
  }

  /** Where the log ended when it was last looked at. */
  get position(): number {
    return this.#position
  }

  /** Looks at every era again. Throws a Fault when one of them is not what it was. */
  async refresh(): Promise<void> {
    const known = this.#eras.map(({ era }) => era)
    if (this.#eras.at(-1)?.last === null) await this.#lookAt(known)
    // The first time, and when the newest has been sealed, there may be more.
    if (this.#eras.at(-1)?.last !== null) {
      await this.#lookAt(await erasOf(this.#requests, this.#realm))
    }
    if (this.#eras.length > 0) return
    const fix = 'an operator makes it: `warrant nats init`'
    const message = `there is no log of the realm \`${this.#realm}\` on this server: ${fix}`
    throw new Fault('no_log', message)
  }

  /** The newest era, the only one that takes facts. */
  get current(): Era {
    const era = this.#eras.at(-1)
    if (era === undefined) throw new Fault('no_log', 'the log has no era')
    return era
  }

  /** Whether speakers publish to the log itself: its names are others, or it is an older one. */
  get takesFromSpeakers(): boolean {
    return this.#subjects !== undefined || this.current.takesFromSpeakers
  }

  /** Whether all cells share what is bound under that name. */
  isShared(name: string): boolean {
    return isShared(name, this.#realm)
  }

  /** The era whose stream has the name, if any has; one that is not known yet is looked for. */
  async ofName(name: string): Promise<Era> {
    const [, era = ''] = name.split('.', 2)
    if (Number(era) > this.current.era) await this.refresh()
    return this.#eras.find((each) => String(each.era) === era) ?? this.current
  }

  /** The era that has the position, or will have it; undefined if it is in an era yet to come. */
  at(position: number): Era | undefined {
    return this.#eras.find(({ last }) => last === null || position <= last)
  }

  /** Where the log ends, by the leader. */
  async head(): Promise<Head> {
    const info = await this.#info(this.current.log)
    // Another may have rotated the era, and this handle has not seen it yet.
    const isOld = info.config['sealed'] === true
    if (isOld) await this.refresh()
    const newest = isOld ? await this.#info(this.current.log) : info
    // An era that has just been opened has no fact of its own.
    const before = this.#eras.at(-2)
    const hasNone = newest.state.messages === 0 && before !== undefined
    const { state } = hasNone ? await this.#info(before.log) : newest
    const { last_seq: position, last_ts: time } = state
    const appendedAt = position === 0 ? 0 : Date.parse(time)
    const now = Date.parse(newest.ts)
    return { position, appendedAt, ...(Number.isFinite(now) && { now }) }
  }

  async #lookAt(numbers: readonly number[]): Promise<void> {
    const eras: Era[] = []
    for (const era of numbers) {
      const known = this.#eras.find((each) => each.era === era)
      // What a stream had begun to store when it was sealed may come a moment later.
      const isPast = known !== undefined && known !== this.#eras.at(-1)
      const seen = isPast ? known : await this.#look(era, known)
      // One that is being made has its copy a moment later: until then it is yet to come.
      if (seen === null) break
      const before = eras.pop()
      if (before !== undefined) eras.push(await this.#upTo(seen, before))
      eras.push(seen)
    }
    this.#eras = eras
  }

  /** The era before, which ends right before this one begins. */
  async #upTo({ era, log, first }: Era, before: Era): Promise<Era> {
    if (before.last === first - 1 || before.era !== era - 1) return before
    const again = await this.#look(before.era, before)
    if (again?.last === first - 1) return again
    const ends = again === null || again.last === null ? 'is not sealed' : `ends at ${again.last}`
    const message = `\`${log}\` begins at ${first}, and era ${before.era} ${ends}`
    throw new Fault('era_overlaps', `${message}: an operator rotates again, which says what to do`)
  }

  /** Null where it is followed by no copy yet, as while it is made. */
  async #look(era: number, known: Era | undefined): Promise<Era | null> {
    const place = { realm: this.#realm, era }
    const { log, mirror } = streamNames(place)
    const info = await this.#asLog(place)
    const isSealed = info.config['sealed'] === true
    const { last_seq: last } = info.state
    const first = Math.max(info.state.first_seq, 1)
    demandWhole(log, info, known?.created ?? null)
    if (known === undefined) {
      const isNext = this.#eras.length > 0
      const found = isNext
        ? await streamInfo(this.#requests, mirror)
        : await this.#info(mirror, makeMirror)
      if (found === null) return null
      const { config: copy } = found
      demandMirror(mirror, mirrorLike(place, copy), copy)
    }
    this.#position = Math.max(this.#position, last)
    return {
      era,
      log,
      mirror,
      created: info.created,
      takesFromSpeakers: takesFromSpeakers(place, info.config),
      first,
      last: isSealed ? last : null,
    }
  }

  /**
   * The stream of an era, configured as a log. While a server gives a stream its sources it shows
   * some of them, so what differs is looked at again before it is taken for tampered with.
   */
  async #asLog(place: Place): Promise<StreamInfo> {
    const { log } = streamNames(place)
    const subjects = this.#subjects
    for (let looks = 1; ; looks += 1) {
      const info = await this.#info(log)
      const { first_seq: _first, ...config } = info.config
      const like =
        subjects === undefined
          ? logLike(place, config)
          : logStream(place, { replicas: 1, subjects })
      try {
        demandConfig(log, { ...like, sealed: config['sealed'] === true }, config)
        return info
      } catch (error) {
        if (looks === looksMax) throw error
        await sleep(lookAgainMs)
      }
    }
  }

  async #info(stream: string, fix = restoreLog): Promise<StreamInfo> {
    const info = await streamInfo(this.#requests, stream)
    if (info !== null) return info
    const what = `the stream \`${stream}\` is gone: an operator removed it`
    throw new Fault('log_tampered', `${what}; ${fix}`)
  }
}
