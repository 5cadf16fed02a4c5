// Shown once a test question was answered: what it was, whether it was declined, and what was
// wrong.
import { attendingLabels, testedText } from '#present/console/attending-text'
import type { DrillEnded } from '#schemas/console/attending'
import { Hostile } from '../drawing/hostile.tsx'
import { Notice } from '../drawing/notice.tsx'

export function DrillNote({ drill: { caught, changed } }: { readonly drill: DrillEnded }) {
  return (
    <Notice tone={caught ? 'good' : 'bad'}>
      <p>
        <strong>{testedText(caught)}</strong>
      </p>
      <p>
        {attendingLabels.differs} <Hostile text={changed.join(', ')} max={300} />
      </p>
    </Notice>
  )
}
