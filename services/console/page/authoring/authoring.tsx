// What an author reads and writes: questions of learning, the graph, the catalog with its rules,
// and grants. Nothing of it changes before it is previewed and signed.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { counted } from '#present/wording'
import { RoomOfViews } from '../operating/room.tsx'
import { place } from '../shell/address.ts'
import { CatalogRoom } from './catalog/catalog.tsx'
import { changesOf, discard, type DraftOf } from './draft.ts'
import { GrantsView } from './grants.tsx'
import { GraphRoom } from './graph.tsx'
import { Proposals } from './proposals/proposals.tsx'
import { ChangeSheet } from './change-sheet.tsx'
import { Button } from '../drawing/button.tsx'

// What stands at the foot of the graph and the catalog while a change set is being written.

const words = authorLabels.draft

function DraftBar({ of }: { readonly of: DraftOf }) {
  const isOpen = useSignal(false)
  const { length } = changesOf(of)
  if (length === 0 && !isOpen.value) return null
  return (
    <footer class="foot bunch draft-bar">
      <p>
        <strong>
          {counted(length, 'change')} {words.of[of]}
        </strong>
        <span class="quiet small">{words.kept}</span>
      </p>
      <Button is="text" label={words.discard} onPress={() => discard(of)} />
      <Button is="main" label={words.look} onPress={() => (isOpen.value = true)} />
      {isOpen.value && <ChangeSheet of={of} onClose={() => (isOpen.value = false)} />}
    </footer>
  )
}

const views = ['proposals', 'graph', 'catalog', 'grants'] as const

export function Authoring() {
  const here = views.find((view) => view === place.value.path[1]) ?? 'proposals'
  const counts = { graph: changesOf('graph').length, catalog: changesOf('catalog').length }
  return (
    <>
      <RoomOfViews view="authoring" words={authorLabels} views={views} counts={counts} here={here}>
        {here === 'proposals' && <Proposals />}
        {here === 'graph' && <GraphRoom />}
        {here === 'catalog' && <CatalogRoom />}
        {here === 'grants' && <GrantsView />}
      </RoomOfViews>
      {(here === 'graph' || here === 'catalog') && <DraftBar of={here} />}
    </>
  )
}
