/** Longest name of a catchment, and versions that one may have. */
export const CATCHMENT_NAME_MAX = 120
export const CATCHMENT_VERSIONS_MAX = 50
/** Accounts that a catchment is shared with by name. */
export const CATCHMENT_NAMED_MAX = 50

/** Who sees a catchment beside its owner and managers: nobody, named accounts, everyone signed in. */
export const CATCHMENT_SHARINGS = ['private', 'named', 'all'] as const
export type CatchmentSharing = (typeof CATCHMENT_SHARINGS)[number]
