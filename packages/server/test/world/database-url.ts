/** Addresses of databases as settings have them. */
import type { ConnectionSettings } from '../../src/platform/db/open.ts'

/** Settings as the URL that people set; a socket's folder travels in the query, as libpq has it. */
export function urlOf(connection: ConnectionSettings): string {
  if ('connectionString' in connection) return connection.connectionString
  const { user, password, database, host, port } = connection
  return (
    `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@localhost/${database}?` +
    `host=${encodeURIComponent(host)}&port=${port}`
  )
}
