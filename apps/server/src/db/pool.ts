import pg from 'pg'

const { builtins, getTypeParser } = pg.types

// Ours alone: pg's own defaults stay as other libraries expect them.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      // The counts and sums kept here stay far below 2^53.
      if (oid === builtins.INT8) return Number
      // A civil day has no zone; pg would make it midnight of the server's.
      if (oid === builtins.DATE) return (text: string) => text
    }
    return getTypeParser(oid, format as 'text')
  }) as typeof getTypeParser,
}

/** Options of every connection to the product's tables. */
export function poolOptions(connection: pg.ClientConfig, max: number): pg.PoolConfig {
  return {
    ...connection,
    types,
    max,
    application_name: 'radx',
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // A statement that runs this long is a mistake, and would hold a connection of the pool.
    statement_timeout: 120_000,
    options: '-c timezone=UTC',
  }
}
