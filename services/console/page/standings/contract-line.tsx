// An open contract in a list: what is to be done, for whom it is, and what it waits for.
import { attemptsText } from '#present/work/standing-text'
import { contractLabels } from '#present/work/standing-labels'
import type { ContractRow } from '#schemas/console/standings'
import { Hostile } from '../drawing/hostile.tsx'
import { Ago, Countdown } from '../drawing/moment.tsx'
import { linkToContract, linkToStanding } from './links.ts'

const words = contractLabels

export function ContractItem({ row }: { readonly row: ContractRow }) {
  const { contract, since, issuer, worker, taskId, objective } = row
  return (
    <li class="framed marked row">
      <p class="ends ends-text">
        <a class="row-title" href={linkToContract(contract)}>
          <Hostile text={taskId} max={80} isBrief />
        </a>
        <span class="row-age">
          {words.since} <Ago at={since} />
        </span>
      </p>
      <p class="row-text">
        <Hostile text={objective} max={200} isBrief />
      </p>
      <p class="row-text quiet small">
        {words.issuer} <Hostile text={issuer} max={60} isBrief /> {words.worker}{' '}
        <a href={linkToStanding(worker)}>
          <Hostile text={worker} max={60} isBrief />
        </a>
        {' · '}
        {attemptsText(row)}
        {' · '}
        <ContractWaits row={row} />
      </p>
    </li>
  )
}

export function ContractWaits({ row: { claimBy, lookingUntil } }: { readonly row: ContractRow }) {
  if (claimBy === null) return <>{lookingUntil === null ? words.pending : words.looking}</>
  return (
    <>
      {words.claimBy} <Countdown until={claimBy} />
    </>
  )
}
