// The streams of a realm, one an era, as one log: which of them a name or a position belongs to.
// It must never take a stream for an era whose configuration or sums are not those of a log.
import { Fault } from '#core/fault'
import { streamInfo, streamNamesOf, type StreamInfo } from '../nats/api.ts'
import { demandConfig, demandMirror, demandWhole } from '../nats/wholeness.ts'
import type { Requests } from '../nats/requests.ts'
import { logStream, mirrorStream, streamNames } from '../nats/stream.ts'

export interface Era {
  readonly era: number
  /** The stream, and its copy for reading. */
  readonly log: string
  readonly mirror: string
  readonly created: string
  /** The position of its first fact. */
  readonly first: number
  /** The position of its last fact, once it is sealed. */
  readonly last: number | null
}

export interface Head {
  readonly position: number
  readonly appendedAt: number
}

export class JetStreamEras {
  readonly #requests: Requests
  readonly #realm: string
  readonly #subjects: readonly string[] | undefined
  #eras: readonly Era[] = []

  constructor(requests: Requests, realm: string, subjects?: readonly string[]) {
    this.#requests = requests
    this.#realm = realm
    this.#subjects = subjects
  }

  get all(): readonly Era[] {
    return this.#eras
  }

  /** Looks at every era anew. Throws a Fault when one of them is not what it was. */
  async refresh(): Promise<void> {
    const numbers = this.#eras.length === 0 ? await this.#find() : await this.#known()
    const eras: Era[] = []
    for (const era of numbers) {
      const known = this.#eras.find((each) => each.era === era)
      eras.push(known === undefined || known.last === null ? await this.#look(era, known) : known)
    }
    if (eras.length === 0) {
      const mend = 'an operator makes it: `warrant nats init`'
      const message = `there is no log of the realm \`${this.#realm}\` on this server: ${mend}`
      throw new Fault('no_log', 'never', message)
    }
    this.#eras = eras
  }

  /** The newest era, the only one that takes facts. */
  get current(): Era {
    const era = this.#eras.at(-1)
    if (era === undefined) throw new Fault('no_log', 'never', 'the log has no era')
    return era
  }

  /** The era whose stream has the name, if any has. */
  ofName(name: string): Era {
    const [, era] = name.split('.', 2)
    return this.#eras.find((each) => String(each.era) === era) ?? this.current
  }

  /** The era that has the position, or will have it; undefined if it is in an era yet to come. */
  at(position: number): Era | undefined {
    return this.#eras.find(({ last }) => last === null || position <= last)
  }

  /** Where the log ends, by the leader. */
  async head(): Promise<Head> {
    for (const { log } of this.#eras.toReversed()) {
      const { state } = await this.#info(log)
      // An era that has just been opened has no fact of its own.
      if (state.messages === 0 && state.last_seq > 0) continue
      const appendedAt = state.last_seq === 0 ? 0 : Date.parse(state.last_ts)
      return { position: state.last_seq, appendedAt }
    }
    return { position: 0, appendedAt: 0 }
  }

  async #find(): Promise<readonly number[]> {
    const prefix = streamNames({ realm: this.#realm, era: 0 }).log.slice(0, -1)
    const names = await streamNamesOf(this.#requests)
    return names
      .filter(
        (name) => name.startsWith(prefix) && /^[1-9][0-9]{0,8}$/.test(name.slice(prefix.length)),
      )
      .map((name) => Number(name.slice(prefix.length)))
      .toSorted((a, b) => a - b)
  }

  /** Those that are known, and the next if the last of them has been sealed. */
  async #known(): Promise<readonly number[]> {
    const numbers = this.#eras.map(({ era }) => era)
    return this.current.last === null ? numbers : this.#find()
  }

  async #look(era: number, known: Era | undefined): Promise<Era> {
    const place = { realm: this.#realm, era }
    const { log, mirror } = streamNames(place)
    const info = await this.#info(log)
    const isSealed = info.config['sealed'] === true
    const { last_seq: last } = info.state
    const first = Math.max(info.state.first_seq, 1)
    const options = { replicas: 1, ...(this.#subjects && { subjects: this.#subjects }) }
    const wanted = { ...logStream(place, options), sealed: isSealed }
    const { first_seq: _first, ...config } = info.config
    demandConfig(log, wanted, config)
    demandWhole(log, info, known?.created ?? null)
    if (known === undefined) {
      const { config: copy } = await this.#info(mirror)
      const replicas = Number(copy['num_replicas'])
      demandMirror(mirror, mirrorStream(place, { ...options, replicas }), copy)
    }
    return { era, log, mirror, created: info.created, first, last: isSealed ? last : null }
  }

  async #info(log: string): Promise<StreamInfo> {
    const info = await streamInfo(this.#requests, log)
    if (info !== null) return info
    throw new Fault(
      'log_tampered',
      'never',
      `the stream \`${log}\` is gone: an operator removed it`,
    )
  }
}
