/** The query the page was opened with, unparsed: an authorization server signs it, and the router may rewrite it. */
const arrivalQuery: string = location.search.slice(1)

export function oauthQuery(): string | undefined {
  const query = new URLSearchParams(arrivalQuery)
  return query.has('client_id') && query.has('sig') ? arrivalQuery : undefined
}
