import type { AdminAccount, AdminAccounts } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Quotas } from '../config/limits.ts'
import type { Database } from '../db/schema.ts'

type Db = Kysely<Database>

interface Row {
  id: string
  name: string
  roles: string[]
  restriction_start: Date | null
  restriction_end: Date | null
  disabled_at: Date | null
  is_demo: boolean
  created_at: Date
  version: number
  invited: boolean
  shapefiles: string[]
  second_factor: boolean
  last_used_at: Date | null
  runs: number
  exports: number
  events: number
  land_uses: number
  gauges: number
  tables: number
  networks: number
  catchments: number
  bytes: number
}

/** Every account with what it keeps, by name. */
export async function accountsForManagers(db: Db, now: Date, quotas: Quotas): Promise<AdminAccounts> {
  const { rows } = await sql<Row>`
    select a.id, a.name, a.roles, a.restriction_start, a.restriction_end, a.disabled_at, a.is_demo, a.created_at,
      a.version, a.invited,
      array(select shapefile_name from account_shapefile s where s.account_id = a.id order by 1) as shapefiles,
      exists (select from totp t where t.account_id = a.id and t.confirmed_at is not null)
        or exists (select from passkey p where p.account_id = a.id) as second_factor,
      (select max(last_used_at) from session s where s.account_id = a.id and s.expires_at > ${now}) as last_used_at,
      coalesce(j.runs, 0)::int as runs, coalesce(j.exports, 0)::int as exports,
      coalesce(j.bytes, 0)::float8 + (select coalesce(sum(v.bytes), 0)::float8 from network_version v
        join network n on n.id = v.network_id where n.username = a.name) + (select coalesce(sum(v.bytes), 0)::float8
        from catchment_version v join catchment c on c.id = v.catchment_id where c.username = a.name) as bytes,
      (select count(*)::int from network n where n.username = a.name) as networks,
      (select count(*)::int from catchment c where c.username = a.name and c.deleted_at is null) as catchments,
      (select count(*)::int from saved_event e where e.username = a.name) as events,
      (select count(*)::int from luse_file l where l.username = a.name and not l.is_reference) as land_uses,
      (select count(*)::int from gauge_own g where g.username = a.name) as gauges,
      (select count(*)::int from montana_table m where m.username = a.name) as tables
    from account a
    left join (
      select username, count(*) filter (where kind in ('multihydro', 'network')) as runs,
        count(*) filter (where kind not in ('multihydro', 'network')) as exports, sum(output_bytes) as bytes
      from job group by username) j on j.username = a.name
    order by a.name_key`.execute(db)
  const layers = await db.selectFrom('shapefile').select('name').orderBy('name').execute()
  return {
    accounts: rows.map(toAdminAccount),
    layers: layers.map(({ name }) => name),
    quotas: {
      runs: quotas.runs,
      exports: quotas.exports,
      events: quotas.events,
      landUses: quotas.landUses,
      gauges: quotas.gauges,
      tables: quotas.tables,
      networks: quotas.networks,
      catchments: quotas.catchments,
      bytes: quotas.bytes,
    },
  }
}

const toAdminAccount = (row: Row): AdminAccount => ({
  id: row.id,
  name: row.name,
  roles: row.roles,
  restriction: {
    start: row.restriction_start?.toISOString() ?? null,
    end: row.restriction_end?.toISOString() ?? null,
  },
  shapefiles: row.shapefiles,
  disabled: row.disabled_at !== null,
  demo: row.is_demo,
  invited: row.invited,
  secondFactor: row.second_factor,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  use: {
    runs: row.runs,
    exports: row.exports,
    events: row.events,
    landUses: row.land_uses,
    gauges: row.gauges,
    tables: row.tables,
    networks: row.networks,
    catchments: row.catchments,
    bytes: row.bytes,
  },
  version: row.version,
})
