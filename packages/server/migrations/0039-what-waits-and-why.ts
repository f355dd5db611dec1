/** What a team's own keys at AI vendors cost it, which vendor a run waits for, and which run the fallback's price has cut short (docs/decisions/0057). */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // Beside the dollars of the operator, and never added to them: these the team pays itself, with its own key.
  `alter table serving_cost add column team_micro_dollars bigint not null default 0`,
  // Why the vendor that an open run needs is held; null while it is not. Whatever goes on with the run takes it away.
  `alter table sync add column waits_for text check (waits_for in ('away', 'key', 'money', 'rate', 'cap', 'ai_away', 'ai_rate', 'ai_cap'))`,
  `alter table sync add column price_limited boolean not null default false`,
]
