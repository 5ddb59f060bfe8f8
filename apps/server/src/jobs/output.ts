/** Name in the file store of the folder with what a finished job made; it exists only once the job is done. */
export const jobOutput = (jobId: string): string => `jobs/${jobId}/out`
