/** Folder in the file store of all that belongs to a job. */
export const jobHome = (jobId: string): string => `jobs/${jobId}`

/** Name in the file store of the folder with what a finished job made; it exists only once the job is done. */
export const jobOutput = (jobId: string): string => `${jobHome(jobId)}/out`
