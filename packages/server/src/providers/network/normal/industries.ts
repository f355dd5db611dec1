/** The normal form of an industry: the network's present name of it, from its number or any name it has had. */
import { foldText } from '@les/contract'
import { cleanTextOrNull } from '../../../platform/text.ts'

/** An industry; `id` is the network's number of it where that is known. */
type Industry = { readonly id: string | null; readonly name: string }

/** Number, present name, and the names that older records carry. The network kept its numbers when it renamed them in 2022. */
const known: readonly (readonly [id: number, name: string, ...before: string[]])[] = [
  [1, 'Defense and Space Manufacturing', 'Defense & Space'],
  [3, 'Computer Hardware Manufacturing', 'Computer Hardware'],
  [4, 'Software Development', 'Computer Software'],
  [5, 'Computer Networking Products', 'Computer Networking'],
  [6, 'Technology, Information and Internet', 'Internet'],
  [7, 'Semiconductor Manufacturing', 'Semiconductors'],
  [11, 'Business Consulting and Services', 'Management Consulting'],
  [12, 'Biotechnology Research', 'Biotechnology'],
  [13, 'Medical Practices', 'Medical Practice'],
  [14, 'Hospitals and Health Care', 'Hospital & Health Care'],
  [15, 'Pharmaceutical Manufacturing', 'Pharmaceuticals'],
  [16, 'Veterinary Services', 'Veterinary'],
  [17, 'Medical Equipment Manufacturing', 'Medical Devices'],
  [18, 'Personal Care Product Manufacturing', 'Cosmetics'],
  [19, 'Retail Apparel and Fashion', 'Apparel & Fashion'],
  [20, 'Sporting Goods Manufacturing', 'Sporting Goods'],
  [21, 'Tobacco Manufacturing', 'Tobacco'],
  [22, 'Retail Groceries', 'Supermarkets'],
  [23, 'Food and Beverage Manufacturing', 'Food Production'],
  [24, 'Computers and Electronics Manufacturing', 'Consumer Electronics'],
  [25, 'Manufacturing', 'Consumer Goods'],
  [26, 'Furniture and Home Furnishings Manufacturing', 'Furniture'],
  [28, 'Entertainment Providers', 'Entertainment'],
  [29, 'Gambling Facilities and Casinos', 'Gambling & Casinos'],
  [30, 'Travel Arrangements', 'Leisure, Travel & Tourism'],
  [31, 'Hospitality'],
  [32, 'Restaurants'],
  [33, 'Spectator Sports', 'Sports'],
  [34, 'Food and Beverage Services', 'Food & Beverages'],
  [35, 'Movies, Videos, and Sound', 'Motion Pictures and Film'],
  [36, 'Broadcast Media Production and Distribution', 'Broadcast Media'],
  [37, 'Museums, Historical Sites, and Zoos', 'Museums and Institutions'],
  [40, 'Recreational Facilities', 'Recreational Facilities and Services'],
  [43, 'Financial Services'],
  [45, 'Investment Banking'],
  [46, 'Investment Management'],
  [47, 'Accounting'],
  [48, 'Construction'],
  [49, 'Wholesale Building Materials', 'Building Materials'],
  [50, 'Architecture and Planning', 'Architecture & Planning'],
  [53, 'Motor Vehicle Manufacturing', 'Automotive'],
  [54, 'Chemical Manufacturing', 'Chemicals'],
  [55, 'Machinery Manufacturing', 'Machinery'],
  [57, 'Oil and Gas', 'Oil & Energy'],
  [62, 'Railroad Equipment Manufacturing', 'Railroad Manufacture'],
  [66, 'Utilities'],
  [67, 'Primary and Secondary Education', 'Primary/Secondary Education'],
  [69, 'Education Administration Programs', 'Education Management'],
  [70, 'Research Services', 'Research'],
  [75, 'Government Administration'],
  [80, 'Advertising Services', 'Marketing and Advertising', 'Marketing & Advertising'],
  [81, 'Newspaper Publishing', 'Newspapers'],
  [82, 'Book and Periodical Publishing', 'Publishing'],
  [84, 'Information Services'],
  [86, 'Environmental Services'],
  [89, 'Religious Institutions'],
  [90, 'Civic and Social Organizations', 'Civic & Social Organization'],
  [92, 'Truck Transportation', 'Transportation/Trucking/Railroad'],
  [94, 'Airlines and Aviation', 'Airlines/Aviation'],
  [96, 'IT Services and IT Consulting', 'Information Technology and Services', 'Information Technology & Services'],
  [97, 'Market Research'],
  [98, 'Public Relations and Communications Services', 'Public Relations and Communications'],
  [99, 'Design Services', 'Design'],
  [100, 'Non-profit Organizations', 'Nonprofit Organization Management', 'Non-profit Organization Management'],
  [101, 'Fundraising', 'Fund-Raising'],
  [103, 'Writing and Editing'],
  [104, 'Staffing and Recruiting'],
  [105, 'Professional Training and Coaching', 'Professional Training & Coaching'],
  [106, 'Venture Capital and Private Equity Principals', 'Venture Capital & Private Equity'],
  [107, 'Political Organizations', 'Political Organization'],
  [108, 'Translation and Localization'],
  [109, 'Computer Games'],
  [110, 'Events Services'],
  [112, 'Appliances, Electrical, and Electronics Manufacturing', 'Electrical/Electronic Manufacturing'],
  [113, 'Online Audio and Video Media', 'Online Media'],
  [116, 'Transportation, Logistics, Supply Chain and Storage', 'Logistics and Supply Chain'],
  [118, 'Computer and Network Security', 'Computer & Network Security'],
  [119, 'Wireless Services', 'Wireless'],
  [121, 'Security and Investigations'],
  [122, 'Facilities Services'],
  [123, 'Outsourcing and Offshoring Consulting', 'Outsourcing/Offshoring'],
  [124, 'Wellness and Fitness Services', 'Health, Wellness and Fitness'],
  [125, 'Alternative Medicine'],
  [126, 'Media Production'],
  [127, 'Animation and Post-production', 'Animation'],
  [128, 'Leasing Non-residential Real Estate', 'Commercial Real Estate'],
  [129, 'Capital Markets'],
  [130, 'Think Tanks'],
  [131, 'Philanthropic Fundraising Services', 'Philanthropy'],
  [132, 'E-Learning Providers', 'E-Learning'],
  [133, 'Wholesale'],
  [134, 'Wholesale Import and Export', 'Import and Export'],
  [135, 'Industrial Machinery Manufacturing', 'Mechanical or Industrial Engineering'],
  [136, 'Photography'],
  [137, 'Human Resources Services', 'Human Resources'],
  [138, 'Retail Office Equipment', 'Business Supplies and Equipment'],
  [139, 'Mental Health Care'],
  [140, 'Graphic Design'],
  [141, 'International Trade and Development'],
  [142, 'Beverage Manufacturing', 'Wine and Spirits'],
  [143, 'Retail Luxury Goods and Jewelry', 'Luxury Goods & Jewelry'],
  [145, 'Glass, Ceramics and Concrete Manufacturing', 'Glass, Ceramics & Concrete'],
  [147, 'Automation Machinery Manufacturing', 'Industrial Automation'],
  [27, 'Retail'],
  [41, 'Banking'],
  [42, 'Insurance'],
  [44, 'Real Estate'],
  [51, 'Civil Engineering'],
  [8, 'Telecommunications'],
  [9, 'Law Practice'],
  [10, 'Legal Services'],
  [68, 'Higher Education'],
]

const fold = (name: string): string =>
  foldText(name)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const byName = new Map(
  known.flatMap(([id, name, ...before]) =>
    [name, ...before].map((one) => [fold(one), { id: String(id), name }] as const),
  ),
)
const byId = new Map(known.map(([id, name]) => [String(id), { id: String(id), name }] as const))

/** An industry as vendors give it: a name, or a record of one. */
export type RawIndustry = string | { id: string | null; urn: string | null; name: string | null; title: string | null }

/** The first industry that says anything: by a name it has or had, else by its own words, whose number is kept. */
export function readIndustry(rows: readonly RawIndustry[]): Industry | null {
  for (const row of rows) {
    const entry = typeof row === 'string' ? { id: null, urn: null, name: row, title: null } : row
    const name = cleanTextOrNull(entry.name, 200) ?? cleanTextOrNull(entry.title, 200)
    const id =
      [entry.id, entry.urn].map((one) => /(?:^|:)(\d{1,6})$/.exec(one?.trim() ?? '')?.[1]).find(Boolean) ?? null
    const found = name === null ? (id === null ? undefined : byId.get(id)) : byName.get(fold(name))
    if (found) return found
    if (name !== null) return { id, name }
  }
  return null
}
