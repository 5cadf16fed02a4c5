// An open contract in a list: what is to be done, for whom it is, and what it waits for.
import { attemptsText, contractEndText } from '#present/work/standing-text'
import { contractLabels } from '#present/work/standing-labels'
import type { ContractRow } from '#schemas/operations/contracts'
import { Hostile } from '../drawing/hostile.tsx'
import { Ago, Countdown } from '../drawing/moment.tsx'
import { linkToContract, linkToStanding } from './links.ts'

const words = contractLabels

export function ContractItem({ row }: { readonly row: ContractRow }) {
  const { contract, openedAt, issuer, worker, taskId, objective } = row
  return (
    <li class="framed marked row">
      <p class="ends ends-text">
        <a class="row-title" href={linkToContract(contract)}>
          <Hostile text={taskId} max={80} isBrief />
        </a>
        <span class="fixed quiet small number">
          {words.since} <Ago at={openedAt} />
        </span>
      </p>
      <Hostile in="p" class="row-text" text={objective} max={200} isBrief />
      <p class="row-text quiet small">
        {words.issuer} <Hostile text={issuer} max={60} isBrief /> {words.worker}{' '}
        <Hostile in="a" href={linkToStanding(worker)} text={worker} max={60} isBrief />
        {' · '}
        {attemptsText(row)}
        {' · '}
        {row.ended === null ? <ContractWaits row={row} /> : contractEndText(row.ended.how)}
      </p>
    </li>
  )
}

interface ContractWaitsProps {
  readonly row: Pick<ContractRow, 'waits' | 'until'>
}

export function ContractWaits({ row: { waits, until } }: ContractWaitsProps) {
  if (waits !== 'claim' || until === null) {
    return <>{waits === 'verification' ? words.looking : words.pending}</>
  }
  return (
    <>
      {words.claimBy} <Countdown until={until} />
    </>
  )
}
