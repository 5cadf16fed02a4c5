// What is found of the powers of the credential that was used: an operator's is for no runtime, and
// no one may bind the names of several roles.
import { mayAsk, type PowersSeen } from '#log/nats-admin/inspect-powers'
import { allRoles, kindsBoundForAll } from '#record/roles'
import { ok, warning, type DoctorFinding } from './finding.ts'

export function powersFindings(powers: PowersSeen): readonly DoctorFinding[] {
  return [operatorFinding(powers), accountsFinding(powers)]
}

function operatorFinding({ stream, readers }: PowersSeen): DoctorFinding {
  const fix = 'run with a credential of the role (`warrant nats-config`), and keep this one offline'
  if (stream === 'may') {
    const found = 'this credential may change the stream: it is an operator’s'
    return warning('operator', found, { fix })
  }
  if (readers === 'may') {
    const found = 'this credential may change the queues of every stage'
    return warning('operator', found, { fix })
  }
  if (stream === 'unknown' || readers === 'unknown') {
    const again = 'run `doctor` again when the server answers'
    return warning('operator', 'the server did not answer what this credential may do', {
      fix: again,
    })
  }
  return ok('operator', 'this credential can change neither stream nor queues')
}

function accountsFinding({ binds, others, isWhole }: PowersSeen): DoctorFinding {
  const roles = allRoles.filter((role) => {
    const own = kindsBoundForAll(role)
    return binds.every((kind) => own.includes(kind))
  })
  const names = binds.join(', ')
  if (roles.length === 0) {
    const fix = 'let the server keep roles apart: `warrant nats-config` writes its configuration'
    const found = `this credential binds what no single role may: ${names}`
    return warning('accounts', found, { fix })
  }
  if (!isWhole) {
    const fix = 'fix the failures above first, then run `doctor` again'
    const found = 'the server did not answer which names this credential binds'
    return warning('accounts', found, { fix })
  }
  if (mayAsk(others)) {
    const fix = 'make the configuration of the server again: `warrant nats-config`, and reload it'
    return warning('accounts', 'this credential may ask for names of others one by one', { fix })
  }
  const found = binds.length === 0 ? 'no name of others' : `${names}: what one role may`
  return ok('accounts', `this credential binds ${found}`)
}
