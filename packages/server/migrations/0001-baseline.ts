/**
 * The schema: one SQL text per part of the service; a part references only earlier ones. `shared` has what is read before the
 * team is known and what teams share; `teams` is made in each shard (docs/scaling.md).
 */
import { accounts } from './baseline/accounts.ts'
import { agent } from './baseline/agent.ts'
import { capture } from './baseline/capture.ts'
import { companies } from './baseline/companies.ts'
import { credits } from './baseline/credits.ts'
import { delivery } from './baseline/delivery.ts'
import { destinations } from './baseline/destinations.ts'
import { discover } from './baseline/discover.ts'
import { enrichment } from './baseline/enrichment.ts'
import { exportsOfLeads } from './baseline/exports.ts'
import { exclusions } from './baseline/exclusions.ts'
import { fit } from './baseline/fit.ts'
import { functions } from './baseline/functions.ts'
import { keywords } from './baseline/keywords.ts'
import { leads } from './baseline/leads.ts'
import { network } from './baseline/network.ts'
import { outreach } from './baseline/outreach.ts'
import { platform } from './baseline/platform.ts'
import { privacy } from './baseline/privacy.ts'
import { results } from './baseline/results.ts'
import { signIn } from './baseline/sign-in.ts'
import { sources } from './baseline/sources.ts'
import { teams as teamRows } from './baseline/teams.ts'
import { vendors } from './baseline/vendors.ts'

export const shared: readonly string[] = [functions, platform, teamRows, vendors, signIn]

export const teams: readonly string[] = [
  accounts,
  credits,
  companies,
  network,
  sources,
  agent,
  capture,
  keywords,
  discover,
  leads,
  exclusions,
  enrichment,
  fit,
  delivery,
  outreach,
  destinations,
  exportsOfLeads,
  privacy,
  results,
]
