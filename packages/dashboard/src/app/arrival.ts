/**
 * The query this page was opened with, unparsed. An authorization server signs the query it sends a browser here with, and the
 * router may write it anew; so it is kept before the router starts.
 */
const arrivalQuery: string = location.search.slice(1)

export function oauthQuery(): string | undefined {
  const query = new URLSearchParams(arrivalQuery)
  return query.has('client_id') && query.has('sig') ? arrivalQuery : undefined
}
