// All that one fact says. Each of its values filters the search by what stands there.
import { canonical } from '#record/canonical'
import { auditLabels } from '#present/auditing/audit-labels'
import { filterFor, queryOfFilters, filtersWith } from '#present/auditing/filters'
import { foundFact, kindText, type FoundFact } from '#present/auditing/found-text'
import { leavesOf } from '#present/auditing/leaves'
import { labels } from '#present/console/labels'
import { contractOfFact, reinstatedIn } from '#present/work/contract-of-fact'
import { standingLabels } from '#present/work/standing-labels'
import { momentAfter, momentText, positionsIn } from '#schemas/console/positions'
import { Hostile } from '../../drawing/hostile.tsx'
import { Failed } from '../../drawing/notice.tsx'
import { linkTo } from '../../shell/address.ts'
import { askServer, PageProblem } from '../../shell/requests.ts'
import { session } from '../../shell/session.ts'
import { linkToContract, linkToStanding } from '../../standings/links.ts'
import { Exact } from '../exact.tsx'
import { MarkedText } from '../marked-text.tsx'
import { useAnswer } from '../reading.ts'
import { NoteDown } from '../story/note.tsx'
import { Pick } from './pick.tsx'
import { facts, filters, linkToFact, step } from './search-state.ts'

/** From what was found already, else from the log: the newest one before the next position. */
async function factAt(moment: string): Promise<FoundFact> {
  const here = facts.value?.find((fact) => fact.moment === moment)
  if (here !== undefined) return here
  const query = { before: momentAfter(moment), limit: '1' }
  const { facts: answered } = await askServer('search', '/search', { query })
  const [fact] = answered
  if (fact === undefined || momentText(fact) !== moment) throw new PageProblem('not_found')
  return foundFact(fact, session.value?.realm ?? '')
}

export function FactView({ moment }: { readonly moment: string }) {
  const { answer: fact, problem, again } = useAnswer(moment, () => factAt(moment))
  if (problem !== null) return <Failed code={problem} onRetry={again} />
  if (fact === null) return <p class="loading">{labels.loading}</p>
  return (
    <article class="pane fact" aria-labelledby="fact-title">
      <div class="ends fact-bar">
        <a class="back" href={linkToFact(null)}>
          <span aria-hidden="true">←</span> {auditLabels.fact.back}
        </a>
        <span class="bunch">
          <button type="button" class="button button-small" onClick={() => void step(-1)}>
            {auditLabels.fact.previous}
          </button>
          <button type="button" class="button button-small" onClick={() => void step(1)}>
            {auditLabels.fact.next}
          </button>
        </span>
      </div>
      <header class="head">
        <p class="quiet">
          {kindText(fact.kind)} · {auditLabels.fact.at} {fact.moment}
        </p>
        <h1 id="fact-title">
          <MarkedText text={fact.phrase} max={600} />
        </h1>
        <p class="quiet small bunch">
          <Exact at={fact.at} />
          <Pick filter={{ name: 'since', value: fact.at }} text={auditLabels.fact.since} />
          <Pick filter={{ name: 'until', value: fact.at }} text={auditLabels.fact.until} />
        </p>
        <p class="bunch">
          {fact.intent !== null && (
            <a
              class="button button-main"
              href={linkTo(['intents', fact.intent], queryOfFilters(filters.value))}
            >
              {auditLabels.fact.story}
            </a>
          )}
          <WorkWays fact={fact} />
          <NoteThere moment={moment} />
        </p>
      </header>
      <Values fact={fact} />
    </article>
  )
}

/** To the contract that it is about, or to the standing that it moved. */
function WorkWays({ fact }: { readonly fact: FoundFact }) {
  const [contract, agent] = [contractOfFact(fact), reinstatedIn(fact)]
  if (contract === null && agent === null) return null
  return contract === null ? (
    <a class="button button-small" href={linkToStanding(agent ?? '', fact.moment)}>
      {standingLabels.ofAgent}
    </a>
  ) : (
    <a class="button button-small" href={linkToContract(contract)}>
      {standingLabels.chart.contract}
    </a>
  )
}

function NoteThere({ moment }: { readonly moment: string }) {
  const [at] = positionsIn(moment) ?? []
  if (at === undefined) return null
  const [cell, position] = at
  return <NoteDown about={{ position }} cell={cell} />
}

function Values({ fact }: { readonly fact: FoundFact }) {
  const { leaves, more } = leavesOf(fact.content)
  return (
    <>
      <h2>{auditLabels.fact.values}</h2>
      <dl class="framed lined leaves">
        {leaves.map(({ pointer, label, text, value }) => {
          const filter = filterFor(value, pointer, fact.isEvent)
          return (
            <div class="leaf">
              <dt>
                <Hostile text={label} max={160} isBrief />
              </dt>
              <dd class="value">
                {filter === null ? (
                  <Hostile text={text} max={400} />
                ) : (
                  <a
                    class="pick-value"
                    href={linkToFact(null, filtersWith(filters.value, filter))}
                    title={auditLabels.fact.narrow}
                  >
                    <Hostile text={text} max={400} isBrief />
                  </a>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      {more > 0 && <p class="quiet small">… {more}</p>}
      <details class="details">
        <summary>{auditLabels.fact.raw}</summary>
        <p class="quiet small">
          <Hostile text={fact.name} max={800} />
        </p>
        <p class="code">
          <Hostile text={canonical(fact.content)} max={4_000} />
        </p>
      </details>
    </>
  )
}
