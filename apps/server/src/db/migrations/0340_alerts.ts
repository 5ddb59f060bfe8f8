import { type Kysely, sql } from 'kysely'

/** Rules of accounts, what they raised, and its log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert_rule (
      id uuid primary key default gen_random_uuid(),
      username text not null,
      name text not null,
      measure jsonb not null,
      threshold float8 not null,
      clear float8 not null,
      min_minutes integer not null,
      severity text not null check (severity in ('info', 'warning', 'critical')),
      escalate_min integer,
      enabled boolean not null,
      -- Where the rule stands (alerts/machine.ts).
      state jsonb not null,
      -- The last value; null when there was none.
      value float8,
      value_at timestamptz,
      created_at timestamptz not null default now(),
      version integer not null default 1
    )`.execute(db)
  await sql`create index alert_rule_by_user on alert_rule (username, created_at)`.execute(db)
  await sql`
    create table alert (
      id uuid primary key default gen_random_uuid(),
      rule_id uuid not null references alert_rule (id) on delete cascade,
      username text not null,
      cause text not null check (cause in ('crossing', 'missing')),
      -- The moment of the data at which it began: a rule tells of it once.
      crossing timestamptz not null,
      severity text not null check (severity in ('info', 'warning', 'critical')),
      threshold float8 not null,
      value float8,
      peak float8,
      last float8,
      reason text not null,
      raised_at timestamptz not null,
      acknowledged_at timestamptz,
      snoozed_until timestamptz,
      escalated_at timestamptz,
      ended_at timestamptz,
      ended_by text check (ended_by in ('value', 'person', 'rule')),
      unique (rule_id, cause, crossing)
    )`.execute(db)
  await sql`create index alert_going_on on alert (username) where ended_at is null`.execute(db)
  await sql`
    create table alert_log (
      id bigint generated always as identity primary key,
      alert_id uuid not null references alert (id) on delete cascade,
      username text not null,
      at timestamptz not null,
      what text not null,
      detail text not null default ''
    )`.execute(db)
  await sql`create index alert_log_by_user on alert_log (username, id desc)`.execute(db)
  await sql`create index alert_log_by_alert on alert_log (alert_id)`.execute(db)
}
