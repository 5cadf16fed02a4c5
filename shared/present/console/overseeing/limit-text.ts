// A limit of the catalog in words: how often what may be done.
import type { Limit } from '#schemas/catalog'
import { counted, duration } from '../../wording.ts'

/** Such as `20 uses in 1 h`. */
export function limitText({ uses, windowMs }: Pick<Limit, 'uses' | 'windowMs'>): string {
  const often = uses === 'unlimited' ? 'as often as wanted' : counted(uses, 'use')
  return `${often} in ${duration(windowMs)}`
}
