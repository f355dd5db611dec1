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

/** Settings of a server that nobody runs, however the tests reach theirs. */
export const nobodysServer: ConnectionSettings = {
  host: '127.0.0.1',
  port: 9,
  user: 'u',
  password: 'p',
  database: 'd',
}
