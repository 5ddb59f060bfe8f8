import { RadxError } from '@radx/contracts'
import { xml } from '../xml.ts'

/** Codes of WMTS 1.0.0 (OGC 07-057r7), tables 21 and 25. */
export type WmtsCode =
  | 'InvalidParameterValue'
  | 'MissingParameterValue'
  | 'OperationNotSupported'
  | 'TileOutOfRange'

/** A request that the standard refuses. */
export class WmtsError extends RadxError {
  override readonly name: string = 'WmtsError'
  readonly wmtsCode: WmtsCode
  /** The parameter that is wrong. */
  readonly locator: string
  constructor(wmtsCode: WmtsCode, locator: string, messageFr: string, status = 400) {
    super(`wmts.${wmtsCode}`, status, messageFr)
    this.wmtsCode = wmtsCode
    this.locator = locator
  }
}

export const EXCEPTION_TYPE = 'text/xml; charset=utf-8'

/** The report of any failure (OGC 06-121r9, 8). */
export function exceptionReport(error: RadxError): string {
  const code = error instanceof WmtsError ? error.wmtsCode : 'NoApplicableCode'
  const locator = error instanceof WmtsError ? ` locator="${xml(error.locator)}"` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<ows:ExceptionReport version="1.0.0" xml:lang="fr" xmlns:ows="http://www.opengis.net/ows/1.1">
  <ows:Exception exceptionCode="${code}"${locator}>
    <ows:ExceptionText>${xml(error.message)}</ows:ExceptionText>
  </ows:Exception>
</ows:ExceptionReport>
`
}
