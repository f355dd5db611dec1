import {
  Bot,
  Coins,
  Compass,
  House,
  Radar,
  ScrollText,
  Search,
  Send,
  Settings,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react'

/** A page of the navigation. */
export type Place = {
  readonly to:
    | '/home'
    | '/leads'
    | '/sources'
    | '/keyword'
    | '/discover'
    | '/agent'
    | '/webhooks'
    | '/outreach'
    | '/credits'
    | '/requests'
    | '/settings'
  readonly label: string
  readonly icon: LucideIcon
  readonly words: string
}

/** The pages in the order of the navigation; `words` are found by the command palette. */
export const places: readonly Place[] = [
  { to: '/home', label: 'Home', icon: House, words: 'start today overview first steps' },
  { to: '/leads', label: 'Leads', icon: Users, words: 'people engagers export csv' },
  { to: '/sources', label: 'Sources', icon: Radar, words: 'track profile company post url sync' },
  { to: '/keyword', label: 'Keyword searches', icon: Search, words: 'terms expression boolean topics' },
  { to: '/discover', label: 'Discover', icon: Compass, words: 'influencers find people topic' },
  { to: '/agent', label: 'Agent', icon: Bot, words: 'ai ranked website plan' },
  { to: '/webhooks', label: 'Webhooks', icon: Webhook, words: 'deliveries endpoints signature replay' },
  { to: '/outreach', label: 'Outreach', icon: Send, words: 'campaigns rules send' },
  { to: '/credits', label: 'Credits', icon: Coins, words: 'spend ledger burn forecast cost' },
  { to: '/requests', label: 'API calls', icon: ScrollText, words: 'requests log curl debug errors status' },
  { to: '/settings', label: 'Settings', icon: Settings, words: 'team members api keys secret audit sessions' },
]
