/** Spend questions that an agent tool has asked and that may be answered once. */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // A yes is written when it is used, not when it is asked for: a refused call leaves nothing behind.
  `create table tool_spend_answer (
    team_id uuid not null references team,
    question_id uuid not null,
    expires_at timestamptz not null,
    primary key (team_id, question_id)
  )`,
  `create index tool_spend_answer_expiry on tool_spend_answer (expires_at)`,
]
