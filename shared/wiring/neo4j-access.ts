// Who connects to Neo4j, as the environment says: the password is in a file of its owner alone, and
// leaves here for the driver and nothing else.
import type { Settings } from '#schemas/settings/settings'
import type { Neo4jAccess } from '#neo4j/driver/link'
import { secretText } from '#system/secret-file'
import { Fault } from '#record/fault'

const userDefault = 'neo4j'

/** The address that was given, else the environment's. Throws a Fault that says what is missing. */
export async function neo4jAccess(
  given: string | undefined,
  settings: Settings,
): Promise<Neo4jAccess> {
  const url = given ?? settings.neo4jUrl
  if (url === undefined) {
    const message = 'the address of Neo4j is missing: set WARRANT_NEO4J_URL, as bolt://host:port'
    throw new Fault('neo4j_address_missing', message)
  }
  if (url.includes('@')) {
    const how = 'give WARRANT_NEO4J_USER and WARRANT_NEO4J_PASSWORD_FILE'
    const message = `an address of Neo4j holds no user and no password: ${how}`
    throw new Fault('credentials_invalid', message)
  }
  const file = settings.neo4jPasswordFile
  if (file === undefined) {
    const message = 'there is no password for Neo4j: name its file by WARRANT_NEO4J_PASSWORD_FILE'
    throw new Fault('credentials_invalid', message)
  }
  const { neo4jDatabase: database, neo4jCaFile: ca } = settings
  return {
    url,
    user: settings.neo4jUser ?? userDefault,
    password: await passwordIn(file),
    ...(database !== undefined && { database }),
    ...(ca !== undefined && { ca }),
  }
}

async function passwordIn(file: string): Promise<string> {
  const password = (await secretText(file, 'the password file')).trim()
  if (password !== '') return password
  throw new Fault('credentials_invalid', `the password file \`${file}\` is empty`)
}
