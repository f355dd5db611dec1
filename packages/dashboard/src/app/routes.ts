/** All pages by address, each loaded when first shown. Their search parameters are in `searches.ts`. */
import { createRootRouteWithContext, createRoute, redirect, type AnyRoute } from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '../api/me.ts'
import { chooseTeam, pickTeam } from '../api/team.ts'
import { Failed, NotFound } from './fallbacks.tsx'
import { Root } from './root.tsx'
import { lazyPage } from './lazy-page.tsx'
import { compact, only, open, page, text, type Raw } from './search.ts'
import { searches } from './searches.ts'
import { Shell } from '../shell/shell.tsx'

const none = () => ({})

const root = createRootRouteWithContext<{ readonly client: QueryClient }>()({
  component: Root,
  errorComponent: Failed,
  notFoundComponent: NotFound,
})

type Load = Parameters<typeof lazyPage>[0]

/** Makes pages below a parent from address, reader of search parameters, and import. */
const pagesBelow =
  <Parent extends AnyRoute>(getParentRoute: () => Parent) =>
  <const Path extends string, Search extends object>(path: Path, read: (raw: Raw) => Search, load: Load) =>
    createRoute({ getParentRoute, path, validateSearch: only(read), component: lazyPage(load) })

const openPage = pagesBelow(() => root)

/** Pages that need a session, with or without a team. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const me = await context.client.ensureQueryData({ ...meQuery, revalidateIfStale: true })
    if (me === null) throw redirect({ to: '/sign-in', search: { to: location.href }, replace: true })
    return { me }
  },
})

const personPage = pagesBelow(() => signedIn)

const shell = createRoute({
  getParentRoute: () => signedIn,
  id: 'team',
  beforeLoad: ({ context }) => {
    const team = pickTeam(context.me.teams, context.me.sampleTeam)
    if (team === undefined) throw redirect({ to: '/new-team', replace: true })
    chooseTeam(team.id)
  },
  component: Shell,
})

const teamPage = pagesBelow(() => shell)

const start = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/home', replace: true })
  },
})

const keywordOne = createRoute({
  getParentRoute: () => shell,
  path: '/keyword/$id',
  validateSearch: only(searches.keywordEdit),
  // Keyword searches have the page of every source; their former address redirects to it.
  beforeLoad: ({ params, search }) => {
    const { tab, posts, offset } = searches.keywordEdit(search)
    throw redirect({ to: '/sources/$id', params, search: compact({ tab, posts, offset }), replace: true })
  },
})

/** Any other address: keeps the frame with the navigation. */
const nowhere = createRoute({
  getParentRoute: () => shell,
  path: '$',
  validateSearch: only(none),
  component: NotFound,
})

// Separate constants: inside `addChildren` their types would widen to any route.
const openPages = [
  openPage('/sign-in', open.signIn, () => import('../pages/sign-in/index.tsx')),
  openPage('/sign-up', open.to, () => import('../pages/sign-up/index.tsx')),
  openPage('/forgot', none, () => import('../pages/forgot/index.tsx')),
  openPage('/reset', open.token, () => import('../pages/reset/index.tsx')),
  // The authorization server sends browsers here when it will not answer their app.
  openPage('/not-connected', none, () => import('../pages/not-connected/index.tsx')),
] as const
const personPages = [
  personPage('/invite', open.token, () => import('../pages/invite/index.tsx')),
  personPage('/new-team', none, () => import('../pages/new-team/index.tsx')),
  personPage('/device', page({ user_code: text }), () => import('../pages/device/index.tsx')),
  // The authorization server signs the whole query, so the page reads it unparsed.
  createRoute({
    getParentRoute: () => signedIn,
    path: '/consent',
    component: lazyPage(() => import('../pages/consent/index.tsx')),
  }),
] as const
const teamPages = [
  start,
  teamPage('/home', none, () => import('../pages/home/index.tsx')),
  teamPage('/leads', searches.leads, () => import('../pages/leads/index.tsx')),
  teamPage('/sources', searches.sources, () => import('../pages/sources/index.tsx')),
  teamPage('/sources/$id', searches.source, () => import('../pages/source-detail/index.tsx')),
  teamPage('/keyword', searches.keyword, () => import('../pages/keyword/index.tsx')),
  teamPage('/keyword/new', searches.keywordEdit, () => import('../pages/keyword-edit/index.tsx')),
  keywordOne,
  teamPage('/discover', searches.discover, () => import('../pages/discover/index.tsx')),
  teamPage('/discover/$id', searches.discoverRun, () => import('../pages/discover-run/index.tsx')),
  teamPage('/agent', searches.agent, () => import('../pages/agent/index.tsx')),
  teamPage('/webhooks', searches.webhooks, () => import('../pages/webhooks/index.tsx')),
  teamPage('/outreach', searches.outreach, () => import('../pages/outreach/index.tsx')),
  teamPage('/destinations', none, () => import('../pages/destinations/index.tsx')),
  // In one module with the list, so that what they share stays out of other pages.
  teamPage('/destinations/connect', searches.connect, () =>
    import('../pages/destinations/index.tsx').then(({ ConnectPage }) => ({ Page: ConnectPage })),
  ),
  teamPage('/destinations/$id', searches.destination, () =>
    import('../pages/destinations/index.tsx').then(({ DetailPage }) => ({ Page: DetailPage })),
  ),
  teamPage('/results', searches.results, () => import('../pages/results/index.tsx')),
  teamPage('/exclusions', searches.exclusions, () => import('../pages/exclusions/index.tsx')),
  teamPage('/credits', searches.credits, () => import('../pages/credits/index.tsx')),
  teamPage('/privacy', searches.privacy, () => import('../pages/privacy/index.tsx')),
  teamPage('/requests', searches.requests, () => import('../pages/requests/index.tsx')),
  teamPage('/settings', searches.settings, () => import('../pages/settings/index.tsx')),
  teamPage('/operations', searches.operator, () => import('../pages/operator/index.tsx')),
  nowhere,
] as const

export const routeTree = root.addChildren([
  ...openPages,
  signedIn.addChildren([...personPages, shell.addChildren(teamPages)]),
])
