// The jobs that a worker has taken in advance, in turns over agents: one that has very many waiting
// holds no one else up. It decides which comes next, and never how many are taken.
import { tokenAt } from '#record/names'
import type { Fact } from '#ports/log'
import { fairQueue } from './fair-queue.ts'

/** With more bytes than these out no further jobs are taken in advance. */
export const reachBytesMax = 64 * 1024 * 1024
/** An agent with more waiting crowds others out, if there are any. */
export const crowdMin = 64
/** Then so many of its jobs are under way: for each step of theirs the others wait for a turn. */
const inCrowdMax = 8
/** So many jobs after one of another agent it is still taken to be there. */
const crowdJobsMax = 4_096

export class Crowd<T extends { readonly fact: Fact }> {
  readonly #ready = fairQueue<T>()
  /** The agent that has very many waiting. */
  #crowding: string | undefined
  /** Jobs left to be taken a few at a time. */
  #jobs = 0
  /** Jobs of others that were taken in place of its own. */
  #passed = 0

  get size(): number {
    return this.#ready.size
  }

  add(job: T): void {
    const agent = turnOf(job.fact)
    const waiting = this.#ready.add(agent, job)
    if (waiting > crowdMin) this.#crowding = agent
    else if (agent === this.#crowding) this.#crowding = undefined
    else if (this.#crowding !== undefined) this.#jobs = crowdJobsMax
  }

  /** The next one, while so many are under way. */
  take(underWay: number): T | undefined {
    // What the others wait for does not wait until some of the crowd is done.
    const isCrowded = this.#jobs > 0 && underWay >= inCrowdMax
    // Others can be as many: then it has its turn among them, or it would wait for all of theirs.
    const isPassedOver = isCrowded && this.#passed < inCrowdMax
    const job = this.#ready.take(isPassedOver ? this.#crowding : undefined)
    if (job === undefined) return undefined
    this.#passed = isPassedOver ? this.#passed + 1 : 0
    if (this.#jobs > 0) this.#jobs -= 1
    return job
  }

  takeAll(): readonly T[] {
    return this.#ready.takeAll()
  }
}

/** Whom the turn belongs to: in the names of all jobs of stages it is the agent. */
export function turnOf({ name }: Fact): string {
  return tokenAt(name, 3)
}
