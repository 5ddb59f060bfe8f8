// Apart from the schemas, so that a page that needs a number does not load the validator.

/** Largest file of a draft of a catchment, bytes. */
export const BUILDER_FILE_MAX = 200 * 2 ** 20
export const BUILDER_FILES_MAX = 200
export const BUILDER_NAME_MAX = 120
/** Values of a column or raster that are told one by one; more are no classes. */
export const BUILDER_VALUES_MAX = 100
/** Kinds of files that a draft takes. */
export const BUILDER_ENDINGS = ['tif', 'tiff', 'asc', 'geojson', 'json', 'gpkg', 'zip', 'inp', 'csv'] as const

/** What can be looked at before the whole is built. */
export const BUILDER_STEPS = ['outline', 'terrain', 'landUse', 'sewer', 'gullies'] as const
export type BuilderStep = (typeof BUILDER_STEPS)[number]
