import { RadxError } from '@radx/contracts'
import { xml } from '../xml.ts'

/** Codes of WMS 1.3.0, table E.1, and of OWS for what is missing or wrong. */
export type WmsCode =
  | 'InvalidFormat'
  | 'InvalidCRS'
  | 'InvalidSRS'
  | 'LayerNotDefined'
  | 'StyleNotDefined'
  | 'LayerNotQueryable'
  | 'InvalidPoint'
  | 'InvalidDimensionValue'
  | 'OperationNotSupported'
  | 'MissingParameterValue'
  | 'InvalidParameterValue'

/** A request that the standard refuses. */
export class WmsError extends RadxError {
  override readonly name: string = 'WmsError'
  readonly wmsCode: WmsCode
  constructor(wmsCode: WmsCode, messageFr: string, status = 400) {
    super(`wms.${wmsCode}`, status, messageFr)
    this.wmsCode = wmsCode
  }
}

export const EXCEPTION_TYPE = 'text/xml; charset=utf-8'

/** The standard's report of any failure (WMS 1.3.0, 7.3.3.11 and annex E). */
export function exceptionReport(error: RadxError): string {
  const code = error instanceof WmsError ? ` code="${error.wmsCode}"` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/ogc http://schemas.opengis.net/wms/1.3.0/exceptions_1_3_0.xsd">
  <ServiceException${code}>${xml(error.message)}</ServiceException>
</ServiceExceptionReport>
`
}
