// The graph as of a moment of the story: what the intent was judged by, as its grounding recorded
// it, or what lay around one concept then.
import { auditLabels } from '#present/auditing/audit-labels'
import { pictureOfGround } from '#present/picture/of-ground'
import type { Picture } from '#present/picture/picture'
import { Empty, Notice } from '../../drawing/notice.tsx'
import { goTo, linkTo, place } from '../../shell/address.ts'
import { AroundConcept } from '../picturing/around.tsx'
import { PictureView } from '../picturing/picture-view.tsx'
import { linkToIntent } from './intent-link.ts'
import type { IntentSeen } from './story-read.ts'

interface StoryGraphProps {
  readonly intent: string
  readonly read: IntentSeen
}

export function StoryGraph({ intent, read }: StoryGraphProps) {
  const { query } = place.value
  const around = query.get('around')
  const at = query.get('at') ?? read.groundedAt
  const linkOf = (concept: string): string => {
    return linkToIntent(intent, 'graph', { around: concept, ...(at !== null && { at }) })
  }
  return (
    <section>
      <nav class="bunch filters" aria-label={auditLabels.story.tabs.graph}>
        <a
          class="filter"
          href={linkToIntent(intent, 'graph')}
          aria-current={around === undefined ? 'page' : undefined}
        >
          {auditLabels.picture.ground}
        </a>
        {conceptsOf(read).map((concept) => (
          <a
            class="filter"
            href={linkOf(concept)}
            aria-current={around === concept ? 'page' : undefined}
          >
            {concept}
          </a>
        ))}
      </nav>
      {around === undefined ? (
        <Ground read={read} linkOf={linkOf} />
      ) : (
        <AroundConcept
          concept={around}
          steps={query.get('steps') ?? '1'}
          at={at}
          linkOf={linkOf}
          onSteps={(steps) => {
            const more = { ...Object.fromEntries(query), steps }
            goTo(['intents', intent, 'graph'], more)
          }}
        />
      )}
    </section>
  )
}

const conceptsShownMax = 12

function conceptsOf({ grounding }: IntentSeen): readonly string[] {
  const ground = grounding?.ground ?? null
  return ground === null ? [] : ground.resolved.slice(0, conceptsShownMax)
}

interface GroundProps {
  readonly read: IntentSeen
  readonly linkOf: (concept: string) => string
}

function Ground({ read: { grounding }, linkOf }: GroundProps) {
  const ground = grounding?.ground ?? null
  if (grounding === null || ground === null) {
    return <Empty title={auditLabels.picture.noGround} lead="" />
  }
  let picture: Picture
  try {
    picture = pictureOfGround(ground)
  } catch {
    return (
      <Notice tone="calm">
        <p>{auditLabels.picture.many}</p>
      </Notice>
    )
  }
  return (
    <>
      <p class="quiet small">
        {auditLabels.why.shape.graph}{' '}
        <a href={linkTo(['graph'], { at: `r${grounding.graphRevision}` })}>
          r{grounding.graphRevision}
        </a>
      </p>
      <PictureView picture={picture} linkOf={linkOf} />
    </>
  )
}
