// Whether what is to be signed has what the person was shown. Members that only the log knows, such
// as who signs, may stand beside; what was shown may not be missing or otherwise.
import { canonical, type Json } from '#record/canonical'
import { memberMap } from '../signing/members.ts'
import type { Signable } from '../signing/challenge.ts'
import { person } from '../shell/session.ts'
import { PageProblem } from '../shell/requests.ts'

interface ShownThen {
  /** Which kind of fact it is, as its name says. */
  readonly kind: string
  readonly members: Json
}

export function signedShows({ of, data }: Signable, { kind, members }: ShownThen): void {
  const [, , named] = of.name.split('.')
  const content = memberMap(data)
  const isShown = [...memberMap(members)].every(([key, value]) => {
    return canonical(content.get(key) ?? null) === canonical(value)
  })
  const isMine = content.get('confirmer') === person.value?.id
  if (named !== kind || !isShown || !isMine) throw new PageProblem('other_content')
}
