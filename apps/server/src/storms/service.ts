import type { MontanaTable, MontanaTableBody, Site } from '@radx/contracts'
import { RadxError } from '@radx/contracts'
import { lawIssues, lawRemarks, type MontanaLaw, toMinutes } from '@radx/rainfall/storms/montana'
import { readMontanaTable } from '@radx/rainfall/storms/montana-table'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Deps } from '../http/app.ts'
import { NotFound } from '../http/errors.ts'
import { holdQuota, oneAtATime } from '../http/quota.ts'
import { countTables, deleteTable, insertTable, tablesOf } from './queries.ts'

/** Lines of a form that cannot be; `details.issues` names each one's line and field. */
class MontanaRefused extends RadxError {
  override readonly name = 'MontanaRefused'
}

/** Tables of return periods: the site's, then those of an account. */
export class MontanaTables {
  private readonly db: Kysely<Database>
  private readonly site: Site
  private readonly most: number

  constructor({ db, site, config }: Pick<Deps, 'db' | 'site' | 'config'>) {
    this.db = db
    this.site = site
    this.most = config.quotas.tables
  }

  async list(username: string): Promise<MontanaTable[]> {
    return [
      ...this.site.montana.map((table): MontanaTable => ({ ...table, owner: 'site' })),
      ...(await tablesOf(this.db, username)),
    ]
  }

  /** A table by its id; the first one when none is named. @throws NotFound */
  async find(username: string, id: string | undefined): Promise<MontanaTable> {
    const tables = await this.list(username)
    const found = id === undefined ? tables[0] : tables.find((table) => table.id === id)
    if (found) return found
    throw new NotFound(
      id === undefined
        ? 'Aucun tableau de périodes de retour : ajoutez-en un, ou demandez au gestionnaire du site.'
        : 'Ce tableau de périodes de retour n’existe pas ou plus.',
    )
  }

  /** @throws FormatError or MontanaRefused naming every line that cannot be, QuotaReached */
  async add(username: string, { name, note = '', units, source }: MontanaTableBody): Promise<MontanaTable> {
    const read =
      'csv' in source
        ? readMontanaTable(source.csv, 'tableau', { units })
        : checked(source.laws.map((law) => ({ ...law, ...toMinutes(law, units) })))
    const limits = { count: this.most, bytes: Number.POSITIVE_INFINITY }
    const table = await this.db.transaction().execute(async (trx) => {
      await oneAtATime(trx, 'montana', username)
      holdQuota('tableau', { count: await countTables(trx, username), bytes: 0 }, limits)
      return insertTable(trx, { username, name, note, laws: read.laws })
    })
    return { ...table, remarksFr: read.remarksFr }
  }

  /** @throws NotFound */
  async remove(username: string, id: string): Promise<void> {
    if (!(await deleteTable(this.db, username, id)))
      throw new NotFound('Ce tableau n’existe plus, ou il est celui du site.')
  }
}

function checked(laws: MontanaLaw[]): { laws: MontanaLaw[]; remarksFr: string[] } {
  const issues = lawIssues(laws)
  if (issues.length === 0) return { laws, remarksFr: lawRemarks(laws) }
  throw new MontanaRefused(
    'montana.table',
    422,
    issues.map(({ index, messageFr }) => `Ligne ${index + 1} : ${messageFr}`).join('\n'),
    {
      details: {
        issues: issues.map(({ index, field, messageFr }) => ({ line: index + 1, field, messageFr })),
      },
    },
  )
}
